"""The challenge station: two players look a challenged play up themselves, and get one verdict for it.

Core (pure): ``challenge`` what the players do, ``director`` what the director does behind the door, ``station`` the two together, ``face`` what stands on
the screen. Shell: ``screens``, ``log``, ``lexicons``, ``slip``, ``shell``. Events in, effects out, time as an argument.
"""
