"""A walk through every action of the app at random: what a group can do, it does.

world         the group, its phone and its program, and what stands in its database now
by_form       a step for each address to which a page sends a form
by_interface  a step for each address by which another program changes something
copying       a group taken out, brought into an empty one, and the two compared
"""
