"""The address by which other devices in the network reach this machine."""

import socket
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from flask import current_app, url_for


def network_address(port: int | None) -> str:
    """The address for devices in the same network; empty where this machine finds no way there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # A datagram socket only looks up its way when it connects; nothing is sent.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        host = probe.getsockname()[0]
    return f"http://{host}:{port}" if port else f"http://{host}"


def address_for_others(endpoint: str, **values: Any) -> str:
    """The address of a page as another device opens it.

    Who came by a name that means each device itself is told the address of this machine instead,
    where it is in a network and answers to that; behind a proxy it does not.
    """
    address = url_for(endpoint, _external=True, **values)
    settings = current_app.config
    is_behind = settings["TRUSTED_HOSTS"] or settings["TRUSTED_PROXIES"]
    if is_behind or not is_of_one_device(address):
        return address
    others = network_address(urlsplit(address).port)
    return others + url_for(endpoint, **values) if others else address


def is_of_one_device(address: str) -> bool:
    """Does an address lead each device to itself?"""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
