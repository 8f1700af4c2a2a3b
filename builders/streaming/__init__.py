"""Endless rows: any index of a config, mixed by weights, without the problems of the default test builds."""
