"""A process that makes file calls on behalf of a test: another process, or another user, or a call that Node lacks.

Reads one JSON request a line from standard input and answers with one JSON line on standard output:
  {"f": "os.open", "a": [args]}  ->  {"r": result} | {"e": errno} | {"x": "text of another exception"}
Bytes travel as {"b": base64}. `f` names a function of os, or one of those below ("x.name").
A call that lasts longer than CALL_LIMIT seconds ends the process, so that a hanging filesystem fails a test instead of stopping the run.
"""
import base64, ctypes, errno, fcntl, hashlib, json, mmap, os, signal, socket, sqlite3, subprocess, sys, tempfile

CALL_LIMIT = 90
libc = ctypes.CDLL(None, use_errno=True)
libc.opendir.restype = libc.readdir.restype = ctypes.c_void_p
libc.opendir.argtypes = [ctypes.c_char_p]
for one in (libc.readdir, libc.rewinddir, libc.closedir, libc.telldir, libc.dirfd):
    one.argtypes = [ctypes.c_void_p]
libc.telldir.restype = ctypes.c_long
libc.seekdir.argtypes = [ctypes.c_void_p, ctypes.c_long]


class Dirent(ctypes.Structure):
    _fields_ = [('ino', ctypes.c_uint64), ('off', ctypes.c_int64), ('reclen', ctypes.c_ushort), ('type', ctypes.c_ubyte), ('name', ctypes.c_char * 256)]


class Timespec(ctypes.Structure):
    _fields_ = [('sec', ctypes.c_long), ('nsec', ctypes.c_long)]


def check(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


class X:
    """What Python's os module lacks, or what needs an object that lives between two requests."""
    maps, streams, sockets = {}, {}, []

    @staticmethod
    def renameat2(source, target, flags):
        return check(libc.renameat2(-100, os.fsencode(source), -100, os.fsencode(target), flags))

    @staticmethod
    def link_nofollow(source, target):
        os.link(source, target, follow_symlinks=False)

    @staticmethod
    def mknod(path, mode, device):
        """With the mode as given: the umask does not count."""
        before = os.umask(0)
        try:
            os.mknod(path, mode, device)
        finally:
            os.umask(before)

    @staticmethod
    def fallocate(fd, mode, offset, length):
        return check(libc.fallocate(fd, mode, ctypes.c_int64(offset), ctypes.c_int64(length)))

    @staticmethod
    def utimensat(path, atime, mtime, flags):
        times = (Timespec * 2)(Timespec(*atime), Timespec(*mtime))
        return check(libc.utimensat(-100, os.fsencode(path), times, flags))

    @staticmethod
    def futimens(fd, atime, mtime):
        return check(libc.futimens(fd, (Timespec * 2)(Timespec(*atime), Timespec(*mtime))))

    @staticmethod
    def setxattr_nofollow(path, name, value):
        os.setxattr(path, name, value, follow_symlinks=False)

    @staticmethod
    def listxattr_nofollow(path):
        return os.listxattr(path, follow_symlinks=False)

    @staticmethod
    def getxattr_size(path, name):
        return check(libc.getxattr(os.fsencode(path), os.fsencode(name), None, 0))

    @staticmethod
    def getxattr_into(path, name, size):
        return check(libc.getxattr(os.fsencode(path), os.fsencode(name), ctypes.create_string_buffer(size), size))

    @staticmethod
    def listxattr_size(path):
        return check(libc.listxattr(os.fsencode(path), None, 0))

    @staticmethod
    def listxattr_into(path, size):
        return check(libc.listxattr(os.fsencode(path), ctypes.create_string_buffer(size), size))

    @staticmethod
    def flock(fd, operation):
        return fcntl.flock(fd, operation)

    @staticmethod
    def lockf(fd, operation, length, start):
        return fcntl.lockf(fd, operation, length, start)

    @staticmethod
    def mmap(fd, length):
        key = len(X.maps) + 1
        X.maps[key] = mmap.mmap(fd, length)
        return key

    @staticmethod
    def mmap_write(key, offset, data):
        X.maps[key][offset:offset + len(data)] = data

    @staticmethod
    def mmap_read(key, offset, length):
        return X.maps[key][offset:offset + length]

    @staticmethod
    def mmap_pwrite(key, fd, offset):
        return os.pwritev(fd, [X.maps[key]], offset)

    @staticmethod
    def mmap_pread(key, fd, offset):
        return os.preadv(fd, [X.maps[key]], offset)

    @staticmethod
    def mmap_flush(key):
        X.maps[key].flush()

    @staticmethod
    def mmap_close(key):
        X.maps.pop(key).close()

    @staticmethod
    def opendir(path):
        stream = libc.opendir(os.fsencode(path))
        if not stream:
            check(-1)
        key = len(X.streams) + 1
        X.streams[key] = stream
        return key

    @staticmethod
    def readdir(key, count):
        """Up to `count` entries as [name, inode, type, position behind it]."""
        out = []
        while len(out) < count:
            ctypes.set_errno(0)
            entry = libc.readdir(X.streams[key])
            if not entry:
                if ctypes.get_errno():
                    check(-1)
                break
            # Only the bytes up to the NUL: a record may be shorter than the structure.
            record = ctypes.cast(entry, ctypes.POINTER(Dirent)).contents
            name = ctypes.string_at(entry + Dirent.name.offset)
            out.append([name, record.ino, record.type, str(libc.telldir(X.streams[key]))])
        return out

    @staticmethod
    def seekdir(key, position):
        libc.seekdir(X.streams[key], int(position))

    @staticmethod
    def rewinddir(key):
        libc.rewinddir(X.streams[key])

    @staticmethod
    def dirfd(key):
        return libc.dirfd(X.streams[key])

    @staticmethod
    def closedir(key):
        return check(libc.closedir(X.streams.pop(key)))

    @staticmethod
    def bind(path):
        """A listening socket; the path may be longer than sockaddr_un allows, so it is bound from its directory."""
        here = os.open('.', os.O_RDONLY)
        os.chdir(os.path.dirname(path))
        try:
            server = socket.socket(socket.AF_UNIX)
            server.bind(os.path.basename(path))
            server.listen()
            X.sockets.append(server)
        finally:
            os.fchdir(here)
            os.close(here)

    @staticmethod
    def talk(path):
        """Connects to the last socket bound here and sends a word through."""
        server, client = X.sockets.pop(), socket.socket(socket.AF_UNIX)
        here = os.open('.', os.O_RDONLY)
        os.chdir(os.path.dirname(path))
        client.connect(os.path.basename(path))
        os.fchdir(here)
        os.close(here)
        peer, _ = server.accept()
        client.sendall(b'hello')
        word = peer.recv(5)
        for one in (peer, client, server):
            one.close()
        return word

    @staticmethod
    def rewrite(path, size, rounds):
        """Replaces the whole content by `size` equal bytes, `rounds` times, through one write each."""
        fd = os.open(path, os.O_RDWR)
        for i in range(rounds):
            os.pwrite(fd, bytes([65 + i % 26]) * size, 0)
        os.close(fd)

    @staticmethod
    def truncate_and_write(path, size, rounds):
        fd = os.open(path, os.O_RDWR)
        for i in range(rounds):
            os.ftruncate(fd, 0)
            os.pwrite(fd, bytes([65 + i % 26]) * size, 0)
        os.close(fd)

    @staticmethod
    def watch_lengths(path, size, rounds, allowed):
        """Reads `rounds` times. Returns how many results had none of the allowed lengths."""
        fd, odd = os.open(path, os.O_RDONLY), 0
        for _ in range(rounds):
            data = os.pread(fd, size, 0)
            odd += len(data) not in allowed
        os.close(fd)
        return odd

    @staticmethod
    def create_remove(path, rounds, directory):
        """Creates and removes one name; another process may be at the same name, so its traces are no failure."""
        for _ in range(rounds):
            try:
                if directory:
                    os.mkdir(path)
                    os.rmdir(path)
                else:
                    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR))
                    os.unlink(path)
            except (FileExistsError, FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
                pass

    @staticmethod
    def open_read(path, rounds, content):
        """Opens and reads what another process creates and removes: only `content` or nothing may ever show."""
        bad = 0
        for _ in range(rounds):
            try:
                fd = os.open(path, os.O_RDONLY)
            except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
                continue
            data = os.read(fd, 100)
            bad += data not in (content, b'')
            os.close(fd)
        return bad

    @staticmethod
    def create_content_remove(path, rounds, content):
        for _ in range(rounds):
            fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR)
            os.write(fd, content)
            os.close(fd)
            os.unlink(path)

    @staticmethod
    def watch_replaced(path, rounds, size):
        """Opens and reads a file that is being replaced by renames. Returns how often it had another size.

        A file that loses its name between lookup and open is ENOENT on a filesystem that is not in the kernel: that does not count.
        """
        bad = 0
        for _ in range(rounds):
            try:
                with open(path, 'rb') as file:
                    bad += len(file.read()) != size
            except FileNotFoundError:
                continue
        return bad

    @staticmethod
    def append_lines(path, tag, count):
        fd = os.open(path, os.O_WRONLY | os.O_APPEND)
        for i in range(count):
            os.write(fd, f'{tag}{i:06d}\n'.encode())
        os.close(fd)

    @staticmethod
    def write_stripe(path, first, step, count, size):
        """Writes every step-th record of `size` bytes, each filled with its own number."""
        fd = os.open(path, os.O_RDWR)
        for i in range(first, count, step):
            os.pwrite(fd, bytes([i % 251]) * size, i * size)
        os.close(fd)

    @staticmethod
    def make_files(directory, tag, count):
        """Creates, writes, renames and reads back `count` files of this process's own. Returns the number of wrong ones."""
        wrong = 0
        for i in range(count):
            first, second, data = f'{directory}/{tag}{i}', f'{directory}/{tag}{i}-renamed', f'{tag}{i}'.encode() * 50
            with open(first, 'xb') as file:
                file.write(data)
            os.rename(first, second)
            with open(second, 'rb') as file:
                wrong += file.read() != data
        return wrong

    @staticmethod
    def fill_disk(path, size):
        """Appends records of `size` bytes until the disk is full. Returns the bytes that write(2) reported as written."""
        written, i = 0, 0
        fd = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
        try:
            while True:
                written += os.write(fd, bytes([i % 251]) * size)
                i += 1
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
        os.close(fd)
        return written

    @staticmethod
    def sqlite_insert(path, journal, tag, count):
        with sqlite3.connect(path, timeout=60, isolation_level=None) as base:
            mode = base.execute(f'pragma journal_mode={journal}').fetchone()[0]
            base.execute('create table if not exists t(tag, i)')
            for i in range(count):
                base.execute('begin immediate')
                base.execute('insert into t values(?, ?)', (tag, i))
                base.execute('commit')
        base.close()
        return mode

    @staticmethod
    def sqlite_check(path):
        base = sqlite3.connect(path, timeout=60)
        result = [base.execute('pragma integrity_check').fetchone()[0], base.execute('select count(*) from t').fetchone()[0]]
        base.close()
        return result

    @staticmethod
    def sqlite_workout(path):
        """A database in WAL mode: transactions, rollbacks, a second connection, indices, vacuum. The result says what is in it."""
        base = sqlite3.connect(path, isolation_level=None)
        mode = base.execute('pragma journal_mode=wal').fetchone()[0]
        base.execute('create table t(id integer primary key, text)')
        for i in range(60):
            base.execute('begin')
            base.executemany('insert into t(text) values(?)', [(f'{i}-{j}' * (j % 50),) for j in range(40)])
            base.execute('rollback' if i % 10 == 9 else 'commit')
        other = sqlite3.connect(path, isolation_level=None)
        other.execute('create index i on t(text)')
        other.execute('delete from t where id % 3 = 0')
        base.execute('pragma wal_checkpoint(truncate)')
        base.execute('vacuum')
        other.close()
        digest = hashlib.sha256('\n'.join(base.iterdump()).encode()).hexdigest()
        check = base.execute('pragma integrity_check').fetchone()[0]
        base.close()
        return [check, mode, digest, sorted(name for name in os.listdir(os.path.dirname(path)) if name.startswith('database'))]

    @staticmethod
    def command(args, text):
        """Runs a program to its end. Returns exit code, standard output and standard error.

        The output goes to files: a program that stays in the background would keep a pipe open.
        """
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            done = subprocess.run(args, input=text.encode(), stdout=out, stderr=err, timeout=60)
            out.seek(0)
            err.seek(0)
            return [done.returncode, out.read().decode(errors='replace'), err.read().decode(errors='replace')]

    @staticmethod
    def serve_descriptor(target, args, text):
        """Mounts on `target` itself and lets a program serve the descriptor: it gets /dev/fd/N as last argument."""
        device = os.open('/dev/fuse', os.O_RDWR)
        options = f'fd={device},rootmode=40000,user_id=0,group_id=0'
        check(libc.mount(b'test', os.fsencode(target), b'fuse', 0, options.encode()))
        with tempfile.TemporaryFile() as out:
            done = subprocess.run([*args, f'/dev/fd/{device}'], input=text.encode(), stdout=out, stderr=out, timeout=60, pass_fds=[device])
            os.close(device)
            out.seek(0)
            return [done.returncode, out.read().decode(errors='replace'), '']

    @staticmethod
    def become(uid, gid, groups):
        os.setgroups(groups)
        os.setgid(gid)
        os.setuid(uid)


def decode(value):
    if isinstance(value, dict):
        return base64.b64decode(value['b'])
    return [decode(v) for v in value] if isinstance(value, list) else value


def encode(value):
    if isinstance(value, bytes):
        return {'b': base64.b64encode(value).decode()}
    if isinstance(value, (os.stat_result, os.statvfs_result)):
        fields = [n for n in dir(value) if n.startswith(('st_', 'f_')) and not n.endswith('time')]
        # Nanoseconds since 1970 do not fit a JavaScript number: as text.
        return {n: str(getattr(value, n)) if n.endswith('_ns') else getattr(value, n) for n in fields}
    if isinstance(value, str):
        return value.encode('utf-8', 'surrogateescape').decode('utf-8', 'replace')
    return [encode(v) for v in value] if isinstance(value, (list, tuple)) else value


def main():
    os.umask(0o022)
    for line in sys.stdin:
        request = json.loads(line)
        family, name = request['f'].split('.')
        signal.alarm(CALL_LIMIT)  # the default action ends the process even inside a call that waits for the filesystem
        try:
            answer = {'r': encode(getattr(os if family == 'os' else X, name)(*decode(request['a'])))}
        except OSError as error:
            answer = {'e': error.errno} if error.errno else {'x': repr(error)}
        except Exception as error:
            answer = {'x': repr(error)}
        signal.alarm(0)
        print(json.dumps(answer), flush=True)


main()
