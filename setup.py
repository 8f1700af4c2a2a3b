"""Own the wheel: one import package, `tom_datasets`, made of `builders`, its data and the two modules for `datasets`.

In the repository these stand apart, under names too general for a place that all packages share. So the build copies
them into one package, and the copies import from there.
"""

import re
import shutil
from pathlib import Path

from setuptools import find_namespace_packages, find_packages, setup
from setuptools.command.build_py import build_py

PACKAGE = "tom_datasets"
MODULES = ("hi_tom", "mindgames")
SUBPACKAGES = {package: f"builders.{package}" for package in find_packages("builders")}
BESIDE = {
    package: package
    for folder in ("page", "probe", "templates")
    for package in (folder, *(f"{folder}.{inner}" for inner in find_namespace_packages(folder)))
}


class OnePackage(build_py):
    """Copy everything into one package, and let the copies import from it."""

    def run(self) -> None:
        """Build the package anew: what an older version left there would be installed too."""
        if self.editable_mode:
            raise SystemExit("error: no editable install: run python -m builders from the repository, or pip install .")
        built = Path(self.build_lib, PACKAGE)
        shutil.rmtree(built, ignore_errors=True)
        super().run()
        for module in MODULES:
            shutil.copy(f"{module}.py", built)
        for file in built.rglob("*.py"):
            file.write_text(renamed(file.read_text(encoding="utf-8")), encoding="utf-8")

    def get_source_files(self) -> list[str]:
        """Return the files of a source distribution."""
        return [*super().get_source_files(), *(f"{module}.py" for module in MODULES)]


def renamed(code: str) -> str:
    """Return code of the repository as it stands in the package."""
    code = re.sub(r"\bbuilders\b", PACKAGE, code)
    return re.sub(rf"\bfrom (?=(?:{'|'.join(MODULES)}) import\b)", f"from {PACKAGE}.", code)


places = {**SUBPACKAGES, **BESIDE}
setup(
    packages=[PACKAGE, *(f"{PACKAGE}.{package}" for package in places)],
    package_dir={PACKAGE: "builders"}
    | {f"{PACKAGE}.{name}": place.replace(".", "/") for name, place in places.items()},
    cmdclass={"build_py": OnePackage},
    options={"build": {"build_base": ".build"}},
)
