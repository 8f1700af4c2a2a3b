"""Where the modules of the package `tom_datasets` lie: those of builders/, and the data beside it."""

from setuptools import find_namespace_packages, setup

FOLDERS = {"tom_datasets": "builders"} | {f"tom_datasets.{folder}": folder for folder in ("page", "probe", "templates")}
ROOMS = {
    f"{package}.{room}": f"{folder}/{room.replace('.', '/')}"
    for package, folder in FOLDERS.items()
    for room in find_namespace_packages(folder, exclude=["*__pycache__"])  # folders of data are packages, too
}
setup(packages=[*FOLDERS, *ROOMS], package_dir=FOLDERS | ROOMS, options={"build": {"build_base": ".build"}})
