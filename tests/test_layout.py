"""The project as others get it: the egg, the template, the layers, the sizes."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.focused.console.running import running

ROOT = Path(__file__).parent.parent
PACKAGES = ("focused", "middlewares", "models", "spiders")


def run(*words: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, timeout=280)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is tracked, without what was built."""
    folder = tmp_path_factory.mktemp("clone")
    for name in (*PACKAGES, "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("setup.py", "scrapy.cfg"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture(scope="module")
def egg(copy: Path) -> Path:
    done = run(sys.executable, "setup.py", "-q", "bdist_egg", cwd=copy)
    assert done.returncode == 0, done.stderr
    return next((copy / "dist").glob("*.egg"))


def test_the_egg_holds_packages_and_data_and_no_tests(egg: Path) -> None:
    names = set(zipfile.ZipFile(egg).namelist())
    assert not [name for name in names if name.startswith("tests")]
    data = {str(path.relative_to(ROOT)) for name in PACKAGES for path in (ROOT / name).rglob("*.*")}
    wanted = {name for name in data if not name.endswith(".pyc") and "__pycache__" not in name}
    assert wanted - names == set()


def test_a_crawl_runs_from_inside_the_zipped_egg(egg: Path, tmp_path: Path) -> None:
    words = "-m scrapy crawl topic -a topic=cycling -a web=sim:small -a max_pages=5".split()
    done = run(sys.executable, *words, cwd=tmp_path, PYTHONPATH=str(egg), SCRAPY_SETTINGS_MODULE="focused.settings")
    assert "Pages: 5" in done.stdout, done.stderr
    assert (tmp_path / "crawls/cycling/pages.jsonl").read_text().count("\n") == 5
    reported = run(
        *(sys.executable, "-m", "scrapy", "report", "cycling"),
        cwd=tmp_path, PYTHONPATH=str(egg), SCRAPY_SETTINGS_MODULE="focused.settings",
    )  # fmt: skip
    assert reported.stdout.rstrip().endswith("Report: crawls/cycling/report.html"), reported.stderr
    with running(tmp_path, egg) as console:
        paths = ["/", "/crawls/cycling", "/topics/cycling", "/static/console.css", "/static/monitor.js"]
        assert [console.get(path).status for path in paths] == [200] * len(paths)


def test_every_module_is_found_in_the_zipped_egg(egg: Path, tmp_path: Path) -> None:
    code = (
        "import pkgutil, sys; from importlib import import_module as load\n"
        f"names = [m.name for p in {PACKAGES} for m in pkgutil.walk_packages(load(p).__path__, p + '.')]\n"
        "print(len(names), *(name for name in names if not load(name).__file__.startswith(sys.argv[1])))"
    )
    done = run(sys.executable, "-c", code, str(egg), cwd=tmp_path, PYTHONPATH=str(egg))
    modules = [path for path in SOURCES if path.name != "__init__.py" or path.parent.parent != ROOT]
    assert done.stdout.split() == [str(len(modules))], done.stderr


def test_a_stranger_that_hides_our_packages_is_named(tmp_path: Path) -> None:
    stranger = tmp_path / "models" / "__init__.py"
    stranger.parent.mkdir()
    stranger.write_text("")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = run(sys.executable, "-c", "import focused.settings", cwd=tmp_path, PYTHONPATH=path)
    assert f"package 'models' of this project is hidden by {stranger}" in done.stderr


def test_a_new_spider_is_short_and_runs(copy: Path) -> None:
    scrapy = (sys.executable, "-m", "scrapy")
    made = run(*scrapy, "genspider", "-t", "focused", "sailing", "http://www.sailing.example/", cwd=copy)
    assert made.returncode == 0, made.stderr
    source = (copy / "spiders/sailing.py").read_text()
    assert len(source.splitlines()) <= 15
    done = run(*scrapy, "crawl", "sailing", "-a", "web=sim:small", "-a", "max_pages=3", cwd=copy)
    assert "given up: 1" in done.stdout, done.stderr  # its one seed is not a page of the simulated web
    assert "http://www.sailing.example/" in source


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    nodes = ast.walk(ast.parse(path.read_text()))
    return [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


SOURCES = [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")]


def test_files_and_functions_are_short() -> None:
    long_files = [path.name for path in SOURCES if len(path.read_text().splitlines()) > 300]
    long_functions = [
        f"{path.name}: {node.name}"
        for path in SOURCES
        for node in functions(path)
        if (node.end_lineno or 0) - node.lineno + 1 > 30
    ]
    assert (long_files, long_functions) == ([], [])


def test_linters_are_content() -> None:
    for words in (["-m", "ruff", "check", "."], ["-m", "ruff", "format", "--check", "."], ["-m", "mypy"]):
        done = run(sys.executable, *words, cwd=ROOT)
        assert done.returncode == 0, done.stdout + done.stderr
    linter = Path(sys.executable).parent / "lint-imports"
    done = run(str(linter), cwd=ROOT)
    assert done.returncode == 0, done.stdout


def test_nothing_is_ever_unpickled(tmp_path: Path) -> None:
    """An audit hook that forbids it, through a training, a whole crawl with what was learned, and its resume."""
    guard = (
        "import sys\ndef hook(event, args):\n    if event == 'pickle.find_class': raise RuntimeError(args)\n"
        "sys.addaudithook(hook)"
    )
    web, data = "sim:small,pages=1000", f"FOCUSED_DATA_DIR={tmp_path}"
    crawl = f"crawl topic -a topic=cycling -a web={web} -s {data} -a max_pages="
    train = f"train cycling --model naive_bayes,svm,taxonomy,centroids --web {web} --data-dir {tmp_path}"
    for words, said in ((train, "Kept: "), (f"{crawl}20", "Pages: 20"), (f"{crawl}40", "Pages: 40")):
        code = f"{guard}\nfrom scrapy.cmdline import execute; execute({['scrapy', *words.split()]})"
        done = run(sys.executable, "-c", code, cwd=ROOT)
        assert said in done.stdout, done.stderr


def test_a_crawl_does_not_load_what_it_may_never_need() -> None:
    """A database client, scikit-learn and the like take longer to import than a small crawl takes."""
    heavy = ["psycopg", "sklearn", "scipy", "networkx", "nltk", "plotly", "playwright"]
    code = f"import sys, focused.assemble, focused.scheduler, spiders.topic; print(*set({heavy}) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0 and done.stdout.strip() == "", done.stdout + done.stderr
