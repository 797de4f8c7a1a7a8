"""Pictures of hardware as text: shapes and labels only; knows nothing of us."""
