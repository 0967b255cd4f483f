"""The judge as a page: cards go in, a verdict comes out. Asking stores nothing.

The whole question is in the address, so a verdict can be shared by its address alone, but for one
by custom rules, which only their group has.
Inside a game, a verdict can be recorded as a ruling of that game.
"""
