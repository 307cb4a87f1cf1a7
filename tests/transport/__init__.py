"""The layers between a client and the network, each on a fake of the layer below."""
