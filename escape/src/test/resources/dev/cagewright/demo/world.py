"""A network namespace in which every address of the world is this program. Usage: world.py HEARD RESOLV -- COMMAND...

Needs to be the first process of new network and mount namespaces. Whatever comes to it is a line of the file HEARD:
where it came to, and its bytes as text. Each name that it is asked for is 203.0.113.7. Runs COMMAND and ends as it does.
"""
import os
import re
import socket
import subprocess
import sys
import threading

HEARD, RESOLV = open(sys.argv[1], "a", buffering=1), sys.argv[2]
TCP, UDP = [22, 25, 80, 443, 4444, 8080, 8443, 9418], [53, 443, 9999]
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\ntapped"


def ip(*words):
    subprocess.run(["ip", *words], check=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})


def heard(place, data):
    HEARD.write("%s %s\n" % (place, data.decode("ascii", "backslashreplace").encode("unicode_escape").decode()))


def is_whole(data):
    """Is this a request with all of its body?"""
    head, end, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?im)^content-length: *(\d+)", head)
    return bool(end) and len(body) >= (int(length.group(1)) if length and b"expect:" not in head.lower() else 0)


def converse(peer, port):
    peer.settimeout(5)
    data = b""
    try:
        while len(data) < 65536:
            more = peer.recv(65536)
            data += more
            if not more or port == 4444 or is_whole(data):
                break
        peer.sendall(ANSWER)
    except OSError:
        pass
    heard("tcp %d" % port, data)
    peer.close()


def serve(server, port):
    while True:
        peer = server.accept()[0]
        threading.Thread(target=converse, args=(peer, port), daemon=True).start()


def answer(sock, port):
    while True:
        data, peer = sock.recvfrom(65536)
        heard("udp %d" % port, data)
        if port == 53 and len(data) > 17:
            end = data.index(0, 12) + 5
            data = data[:2] + b"\x81\x80\0\1\0\1\0\0\0\0" + data[12:end]
            data += b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + bytes([203, 0, 113, 7])
        sock.sendto(data, peer)


def listening(kind, port):
    sock = socket.socket(socket.AF_INET6, kind)
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("::", port))
    return sock


ip("link", "set", "lo", "up")
ip("route", "add", "local", "0.0.0.0/0", "dev", "lo")
ip("-6", "route", "add", "local", "::/0", "dev", "lo")
subprocess.run(["mount", "--bind", RESOLV, "/etc/resolv.conf"], check=True)
for port in TCP:
    server = listening(socket.SOCK_STREAM, port)
    server.listen(64)
    threading.Thread(target=serve, args=(server, port), daemon=True).start()
for port in UDP:
    threading.Thread(target=answer, args=(listening(socket.SOCK_DGRAM, port), port), daemon=True).start()
code = subprocess.call(sys.argv[4:])
HEARD.close()
os._exit(code if code >= 0 else 128 - code)
