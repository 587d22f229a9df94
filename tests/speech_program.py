"""A real speech program, for the tests that listen to what is read aloud."""

import io
import os
import shutil
import subprocess
import wave

import pytest


def espeak(*options: str, given: str) -> bytes:
    """Return the sound that eSpeak NG makes of a text, as a WAV file.

    Without the program a test is skipped, but fails in continuous integration.
    """
    program = shutil.which("espeak-ng")
    if program is None:
        reason = "no eSpeak NG: install it (Debian: sudo apt install espeak-ng)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    command = [program, "--stdin", "--stdout", *options]
    done = subprocess.run(command, input=given.encode(), capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def seconds(sound: bytes) -> float:
    """Return how long a WAV file plays. A stream does not know its length, so its data count."""
    with wave.open(io.BytesIO(sound)) as file:
        frame = file.getsampwidth() * file.getnchannels()
        return (len(sound) - 44) / frame / file.getframerate()
