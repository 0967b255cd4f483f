"""The judge on the phone: cards go in, a verdict comes out. Nothing is stored.

The whole question is in the address, so a verdict can be shared by its address alone.
"""
