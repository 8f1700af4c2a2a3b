"""Find the packages to install: all of `builders`, and as its subpackages the folders of data that lie beside it."""

from setuptools import find_namespace_packages, find_packages, setup

BESIDE = [
    folder
    for name in ("probe", "templates")
    for folder in (name, *(f"{name}.{inner}" for inner in find_namespace_packages(name)))
]

setup(
    packages=[*find_packages(include=["builders*"]), *(f"builders.{folder}" for folder in BESIDE)],
    package_dir={f"builders.{folder}": folder.replace(".", "/") for folder in BESIDE},
)
