"""The ResourceSlices that drivers publish on an instance type.

In: an instance type and drivers, as the catalogue knows them. Out: predicted slices. Start with
`predict.predict_slices`.
"""
