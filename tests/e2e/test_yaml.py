"""Every file in the output says the same to a reader of YAML 1.1 and to one of YAML 1.2."""

from __future__ import annotations

import pytest
import yaml


@pytest.mark.parametrize("name", ["fleet", "shapes", "small"])
def test_both_versions_read_the_same(run_cli, copy_specs, tmp_path, name):
    """PyYAML and ruamel.yaml load the same data from each emitted file."""
    ruamel_yaml = pytest.importorskip(
        "ruamel.yaml", reason="the clean environment of the wheel has one YAML reader only"
    )
    copy_specs(name)
    run_cli("compile", "specs", "-o", "out")
    reader = ruamel_yaml.YAML(typ="safe", pure=True)
    reader.version = (1, 2)

    files = sorted((tmp_path / "out").rglob("*.yaml"))

    assert len(files) > 10
    for path in files:
        text = path.read_text()
        assert list(yaml.safe_load_all(text)) == list(reader.load_all(text)), path
