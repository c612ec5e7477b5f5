"""Politeness towards hosts: pace, robots.txt, retries."""
