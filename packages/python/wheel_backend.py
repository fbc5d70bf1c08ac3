"""Builds the wheel (PEP 517, PEP 427) with the standard library alone: the package is pure Python."""

import base64
import hashlib
import pathlib
import zipfile

HOME = pathlib.Path(__file__).resolve().parent
NAME, VERSION, REQUIRES_PYTHON = "crossdock", "1.0.0", ">=3.9"
DIST_INFO = f"{NAME}-{VERSION}.dist-info"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    readme = (HOME / "README.md").read_text(encoding="utf-8")
    metadata = {
        "Metadata-Version": "2.1",
        "Name": NAME,
        "Version": VERSION,
        "Summary": "Client of Crossdock: feeds, REST services, events and webhooks.",
        "License": "Apache-2.0",
        "License-File": "LICENSE",
        "Requires-Python": REQUIRES_PYTHON,
        "Description-Content-Type": "text/markdown",
    }
    heads = "".join(f"{name}: {value}\n" for name, value in metadata.items())
    files = {f"{NAME}/{path.name}": path.read_bytes() for path in sorted((HOME / NAME).glob("*.py"))}
    files[f"{NAME}/py.typed"] = b""
    files[f"{DIST_INFO}/LICENSE"] = (HOME / "LICENSE").read_bytes()
    files[f"{DIST_INFO}/METADATA"] = f"{heads}\n{readme}".encode()
    files[f"{DIST_INFO}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: crossdock\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    wheel = f"{NAME}-{VERSION}-py3-none-any.whl"
    record = ""
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
        archive.writestr(f"{DIST_INFO}/RECORD", f"{record}{DIST_INFO}/RECORD,,\n")
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the package is published as a wheel")
