"""What strangers write into titles, URLs and anchors, in the hope that somebody's browser runs it."""

from __future__ import annotations

RUN = "window.hacked=1"
_BODIES = (
    f"<script>{RUN}</script>",
    f"<ScRiPt>{RUN}</sCrIpT>",
    f"<img src=x onerror={RUN}>",
    f"<svg onload={RUN}>",
    f"<svg><script>{RUN}</script></svg>",
    f"<body onload={RUN}>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'>",
    f'<iframe src="javascript:{RUN}">',
    f'<a href="javascript:{RUN}" autofocus onfocus={RUN}>x</a>',
    f"<input autofocus onfocus={RUN}>",
    f"<details open ontoggle={RUN}>",
    f"<video><source onerror={RUN}></video>",
    f"<math><mtext><script>{RUN}</script></mtext></math>",
    f"<object data='javascript:{RUN}'>",
    f"<embed src='javascript:{RUN}'>",
    f'<form action="javascript:{RUN}"><button>',
    f"<meta http-equiv=refresh content='0;javascript:{RUN}'>",
    "<base href='http://evil.example/'>",
    "<style>body { display: none }</style>",
    f"<template><script>{RUN}</script></template>",
)
_WAYS = ("{}", '"{}', "'>{}", "</title></script></textarea>{}", "\x02{}\x03 {{{{ 7 * 7 }}}} {{% raw %}} ${{1}} -->")
PAYLOADS = [way.format(body) for body in _BODIES for way in _WAYS]
