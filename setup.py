"""Where the modules of the package `tom_datasets` lie: those of builders/, and the data beside it."""

from setuptools import find_packages, setup

HOUSE = {f"tom_datasets.{room}": f"builders/{room.replace('.', '/')}" for room in find_packages("builders")}
DATA = {f"tom_datasets.{folder}": folder for folder in ("page", "probe", "templates")}
setup(
    packages=["tom_datasets", *HOUSE, *DATA],
    package_dir={"tom_datasets": "builders"} | HOUSE | DATA,
    options={"build": {"build_base": ".build"}},
)
