"""Titles and abstracts as sentences, words, numbers and phrases. Pure."""
