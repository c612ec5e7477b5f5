"""The engine: the user's own Chromium, as a child without a network that does not outlive the crawl.

util-linux starts it. `unshare` gives it namespaces of its own. In that of the network there is no interface, not even
loopback, so whatever a page or the browser tries (WebSocket, WebRTC, DNS, preconnect), nothing leaves. In that of the
processes the browser is the first one: when it ends, the kernel ends all that it started. It is killed when `unshare`
ends, and `setpriv` has that killed when the crawl ends, however that happens.

Chromium's own sandbox stays on, and it refuses to run as root. So for root the engine runs as the user `nobody`, whose
files a page that breaks out could not change either. Its folder is temporary; each page gets a context that keeps
nothing.
"""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ontology.errors import SettingsError
from ontology.messages import message

NAMES = ("chromium", "chromium-browser", "google-chrome")
AUTO = "auto"
CHECK_SECONDS = 20.0  # for namespaces to be made, which takes a hundredth of one; chosen, not measured
_PREFIX = "ontocrawl-engine-"
_UNPRIVILEGED = "nobody"
_NAMESPACES = ("--map-current-user", "--net", "--pid", "--fork", "--kill-child=KILL", "--mount-proc")
# Chromium speaks over the descriptors 3 and 4; what it says on the others nobody reads.
_PIPES = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
_FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # where /dev/shm is small, as in containers, pages crash
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--mute-audio",
    "--block-new-web-contents",  # popups
    "--disable-site-isolation-trials",  # frames are not loaded, and one process a page is less to watch
    "--blink-settings=imagesEnabled=false",
    "--js-flags=--max-old-space-size=512 --random-seed=1",  # MB; the seed for the same pages from the same archive
)


def engine_path(wanted: str) -> str:
    """The engine's executable: the one named, or with `auto` the first of `NAMES` on PATH. Raises SettingsError where
    there is none, and where this machine cannot take its network away.
    """
    found = next(filter(None, map(shutil.which, NAMES if wanted == AUTO else (wanted,))), None)
    if found is None:
        raise SettingsError(
            message("--render {wanted}: there is no such browser", wanted=wanted),
            "install Chromium, or give the path of its executable: --render /usr/bin/chromium",
        )
    missing = next((name for name in ("setpriv", "unshare") if shutil.which(name) is None), None)
    if missing:
        raise SettingsError(
            message("--render: the program {missing} is missing", missing=missing),
            "it takes the network away from the browser; install util-linux",
        )
    why = _why_not_without_network()
    if why:
        raise SettingsError(
            message("--render: a browser cannot be run without a network here: {why}", why=why),
            "allow user namespaces (sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces; in a container, "
            "its seccomp profile), or leave --render out",
        )
    return str(Path(found).absolute())


def _why_not_without_network() -> str:
    """Why no namespaces can be made, '' if they can."""
    try:
        tried = subprocess.run(
            [*without_network(), "true"], capture_output=True, text=True, timeout=CHECK_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return tried.stderr.strip()[:200] or str(tried.returncode) if tried.returncode else ""


def without_network() -> list[str]:
    """The words before a command that has no network and ends with this process."""
    user = []
    if os.geteuid() == 0:
        nobody = pwd.getpwnam(_UNPRIVILEGED)
        user = [f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
    return ["setpriv", "--pdeathsig", "KILL", *user, "unshare", *_NAMESPACES]


class EngineProcess:
    """A running engine. `questions`, `answers`: this process's ends of the pipes to it and from it.

    To be made in a thread that lives as long as the engine is to (PR_SET_PDEATHSIG is of a thread).
    """

    def __init__(self, path: str) -> None:
        _remove_left_over()
        self._folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
        if os.geteuid() == 0:
            shutil.chown(self._folder, _UNPRIVILEGED)
        folder = str(self._folder)
        child_reads, questions = os.pipe()
        answers, child_writes = os.pipe()
        self.questions, self.answers = os.fdopen(questions, "wb", 0), os.fdopen(answers, "rb", 0)
        shell = ("sh", "-c", _PIPES, "engine")
        try:
            self._process = subprocess.Popen(
                [*without_network(), *shell, path, *_FLAGS, f"--user-data-dir={folder}", "about:blank"],
                stdin=child_reads,
                stdout=child_writes,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={"PATH": os.environ.get("PATH", os.defpath), "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"},
                start_new_session=True,  # Ctrl-C in the terminal must reach the crawl only
            )
        finally:
            os.close(child_reads)
            os.close(child_writes)

    @property
    def memory_mb(self) -> int:
        """MB that it and all that it started hold, without the files that they have mapped."""
        return sum(_held(process) for process in _family(self._process.pid)) >> 10

    def kill(self) -> None:
        """End it, all that it started, and its folder."""
        for pipe in (self.questions, self.answers):
            pipe.close()
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def _remove_left_over() -> None:
    """Remove the folders of engines whose crawls were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdecimal() and not Path(f"/proc/{owner}").exists():
            shutil.rmtree(folder, ignore_errors=True)


def _family(first: int) -> Iterator[int]:
    """A process and those that descend from it."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # it has just ended
            parent = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1]
            children.setdefault(int(parent), []).append(int(name))
    waiting = [first]
    while waiting:
        yield (process := waiting.pop())
        waiting += children.get(process, [])


def _held(process: int) -> int:
    """kB of a process's memory that are its own or shared with others; 0 if it has ended."""
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith(("RssAnon:", "RssShmem:")))
    return 0
