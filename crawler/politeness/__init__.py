"""How a host is treated: its pace, its robots.txt, and how often it is asked again."""
