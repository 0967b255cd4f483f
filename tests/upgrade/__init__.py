"""Version 1.0.0 is upgraded, and nobody loses anything by it.

installation  what that version left behind, and who reads it now
seen          what people and programs see of a group
reworded      what is said in other words since
killing       an upgrade that is killed again and again
"""
