"""Documentation packages of Debian: downloaded with apt-get, and of each its HTML files packed into one zip file.

Nothing is installed or extracted: a package is read as a stream, so that no path in it can lead anywhere.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

BATCH = 10  # packages a call of apt-get: the progress bar moves, and one that fails costs little
HTML = (".html", ".htm", ".xhtml")
LINKS = "symlinks.json"  # in the zip file: what is only another name
LARGEST = 8 * 1024 * 1024  # bytes of a page


def sizes(packages: list[str]) -> dict[str, int]:
    """Of those packages that the archive has: how large the file is."""
    if shutil.which("apt-cache") is None:
        raise SystemExit("This needs apt-get and dpkg-deb: run it on Debian 12.")
    command = ["apt-cache", "show", "--no-all-versions", *packages]
    shown = subprocess.run(command, capture_output=True, text=True).stdout
    found: dict[str, int] = {}
    name = ""
    for line in shown.splitlines():
        field, _, value = line.partition(": ")
        if field == "Package":
            name = value
        elif field == "Size":
            found[name] = int(value)
    found = {name: found[name] for name in packages if name in found}
    if not found:
        raise SystemExit("apt knows none of the packages: run `apt-get update` first.")
    return found


def package_file(folder: Path, package: str, size: int) -> Path | None:
    """The package if it is there and whole."""
    return next((file for file in folder.glob(f"{package}_*.deb") if file.stat().st_size == size), None)


def download(folder: Path, wanted: dict[str, int]) -> Iterator[int]:
    """Fetch what is not there yet; yields how many packages are settled. apt-get checks the sums."""
    missing = [name for name, size in wanted.items() if package_file(folder, name, size) is None]
    yield len(wanted) - len(missing)
    for at in range(0, len(missing), BATCH):
        batch = missing[at : at + BATCH]
        if _fetch(folder, batch) != 0:
            for name in batch:
                _fetch(folder, [name])
        yield len(batch)


def _fetch(folder: Path, packages: Iterable[str]) -> int:
    # The sandbox user could not write into this folder; apt-get would say so for each package.
    command = ["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", *packages]
    return subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL).returncode


def unpack(package: Path, target: Path) -> None:
    """The HTML files of a package as a zip file, under their paths in the file system."""
    draft = target.with_name(f"{target.name}.part")
    stream = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE)
    links: dict[str, str] = {}
    try:
        with (
            tarfile.open(fileobj=stream.stdout, mode="r|") as tar,
            zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out,
        ):
            for member in tar:
                _take(tar, member, out, links)
            out.writestr(LINKS, json.dumps(links))
        draft.replace(target)
    finally:
        assert stream.stdout
        stream.stdout.close()
        stream.wait()
        draft.unlink(missing_ok=True)


def _take(tar: tarfile.TarFile, member: tarfile.TarInfo, out: zipfile.ZipFile, links: dict[str, str]) -> None:
    path = "/" + member.name.removeprefix("./").lstrip("/")
    if member.issym():
        links[path] = str(PurePosixPath(path).parent / member.linkname)
    elif member.islnk():
        links[path] = "/" + member.linkname.removeprefix("./").lstrip("/")
    elif member.isfile() and path.lower().endswith(HTML) and member.size <= LARGEST:
        content = tar.extractfile(member)
        assert content
        out.writestr(path, content.read())
