"""Mounts a vault in the background where /dev/log is a socket of this script, or is missing. Call as root in a mount namespace of its own.

Arguments: "present" or "absent"; a name to plant in the vault; the command with vault and mountpoint at its end. Prints JSON.
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

service, planted, *command = sys.argv[1:]
vault, mountpoint = command[-2:]
subprocess.run(['mount', '-t', 'tmpfs', 'tmpfs', '/dev'], check=True)
for name, major, minor in (('null', 1, 3), ('urandom', 1, 9), ('fuse', 10, 229)):
    os.mknod(f'/dev/{name}', 0o020666, os.makedev(major, minor))
log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
log.settimeout(5)
if service == 'present':
    log.bind('/dev/log')
with tempfile.TemporaryFile() as out:
    code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=30).returncode
    out.seek(0)
    said = out.read().decode()
    # A warning of the running mount.
    with open(os.path.join(os.fsencode(vault), os.fsencode(planted)), 'w'):
        pass
    os.listdir(mountpoint)
    lines = [log.recv(65536).decode()] if service == 'present' else []
    subprocess.run(['umount', mountpoint], check=True)
    time.sleep(0.3)
    out.seek(0)
    held = out.read().decode() != said
print(json.dumps({'code': code, 'said': said, 'lines': lines, 'wroteLater': held}))
