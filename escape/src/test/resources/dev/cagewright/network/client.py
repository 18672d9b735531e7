# A client that logs in and calls an API, as agents do: its tokens stay in ~/.client.json between its runs.
# AUTH and API are host:port. Prints one line of JSON for each word of its command line.
import base64, hashlib, json, os, secrets, sys, urllib.error, urllib.parse, urllib.request

AUTH, API, WORDS = sys.argv[1], sys.argv[2], sys.argv[3:]
STATE = os.path.expanduser("~/.client.json")


def send(url, data=None, headers={}):
    body = None if data is None else urllib.parse.urlencode(data).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        try:
            return error.code, json.loads(text)
        except ValueError:
            return error.code, {"text": text}


def token(path="/oauth/token", **data):
    status, answer = send(f"https://{AUTH}{path}", data)
    if "access_token" in answer:
        tokens = load()
        tokens.update({name: answer[name] for name in ("access_token", "refresh_token", "id_token") if name in answer})
        with open(STATE, "w") as file:
            json.dump(tokens, file)
    return status, answer


def load():
    return json.load(open(STATE)) if os.path.exists(STATE) else {}


def device():
    _, asked = send(f"https://{AUTH}/device", {"client_id": "client"})
    while True:
        status, answer = token(grant_type="urn:ietf:params:oauth:grant-type:device_code", device_code=asked["device_code"])
        if answer.get("error") != "authorization_pending":
            return status, answer


def code():
    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    print(json.dumps(["open", challenge]), flush=True)
    return token(grant_type="authorization_code", code=sys.stdin.readline().strip(), code_verifier=verifier)


def call(host=None, scheme="Bearer", name="access_token"):
    return send(f"https://{host or API}/me", headers={"Authorization": scheme + " " + load().get(name, "none")})


def renew(path="/oauth/token"):
    return token(path, grant_type="refresh_token", refresh_token=load()["refresh_token"])


for word in WORDS:
    word, _, rest = word.partition("=")
    if word == "device":
        out = device()
    elif word == "code":
        out = code()
    elif word == "call":
        out = call(rest or None)
    elif word == "call-refresh":
        out = call(name="refresh_token")
    elif word == "renew":
        out = renew(rest or "/oauth/token")
    elif word == "at-api":
        out = send(f"https://{API}/me", {"refresh_token": load()["refresh_token"]})
    elif word == "device-body":
        out = send(f"https://{AUTH}/device", {"token": load()["refresh_token"]})
    elif word == "revoke":
        out = send(f"https://{AUTH}/oauth/revoke", {"token": load()["refresh_token"]})
    elif word == "tokens":
        out = 0, load()
    elif word == "forget":
        os.remove(STATE)
        out = 0, {}
    print(json.dumps([word, *out]), flush=True)
