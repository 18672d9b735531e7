"""Sums the columns of a CSV file, and tries two things that the cage does not allow."""
import csv
import pathlib
import socket
import sys

with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file))
for column in rows[0]:
    print(f"{column}: {sum(float(row[column]) for row in rows):g}")

try:
    socket.create_connection(("192.0.2.1", 80), timeout=2)
    print("network: reached")
except OSError as error:
    print(f"network: {error.strerror or error}")
print("home:", "visible" if any(pathlib.Path("/root").glob("*")) else "not there")
