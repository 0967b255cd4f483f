"""The JSON interface for other programs: the same actions as the pages, no rule written twice.

A program shows a token (`Authorization: Bearer …`) that a manager of the group made; cookies are
not looked at. What it may ask is described by the OpenAPI document that is made from this code.
"""
