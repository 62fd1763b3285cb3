from Cython.Build import cythonize
from setuptools import setup

setup(
    ext_modules=cythonize(
        "tsukimi_leduc_compiled/rules.py", build_dir="build", compiler_directives={"auto_pickle": False}
    )
)
