// Made from test/recipes by npm run docs.
import type { Snippet } from '../../contract/control-snippets.ts'
import type { Framework } from '../../contract/words/sandbox-words.ts'

export const recipeCode: Readonly<Record<Framework, Pick<Snippet, 'install' | 'files'>>> = {
  'auth-js': {
    install:
      'npm init -y && npm pkg set type=module && npm install @auth/express@0.12.3 express@5.3.0',
    files: [
      {
        name: 'server.js',
        text: "import { ExpressAuth, getSession } from '@auth/express'\nimport HuggingFace from '@auth/express/providers/huggingface'\nimport express from 'express'\n\nconst { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, PORT = 3000 } = process.env\n\n// AUTH_SECRET is read by the library itself.\nconst config = {\n  trustHost: true,\n  providers: [\n    HuggingFace({\n      issuer: OPENID_PROVIDER_URL ?? 'https://huggingface.co',\n      clientId: OAUTH_CLIENT_ID,\n      clientSecret: OAUTH_CLIENT_SECRET,\n      // A public app has no secret.\n      client: OAUTH_CLIENT_SECRET ? {} : { token_endpoint_auth_method: 'none' },\n      authorization: { params: { scope: 'openid profile email' } },\n    }),\n  ],\n}\n\nconst app = express()\napp.use('/auth', ExpressAuth(config))\napp.get('/', async (request, response) => {\n  const session = await getSession(request, config)\n  response.send(\n    session?.user\n      ? `<p>Signed in as ${escape(session.user.email)}</p><a href=\"/auth/signout\">Sign out</a>`\n      : '<p>Not signed in</p><a href=\"/auth/signin\">Sign in</a>',\n  )\n})\n\nfunction escape(text) {\n  return text.replace(/[&<>\"']/g, (character) => `&#${character.charCodeAt(0)};`)\n}\n\napp.listen(PORT, () => console.log(`http://localhost:${PORT}`))\n",
      },
    ],
  },
  'better-auth': {
    install:
      'npm init -y && npm pkg set type=module && npm install better-auth@1.7.25 express@5.3.0',
    files: [
      {
        name: 'auth.js',
        text: "import { betterAuth } from 'better-auth'\nimport { genericOAuth } from 'better-auth/plugins'\n\nconst { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, PORT = 3000 } = process.env\n\n// BETTER_AUTH_SECRET is read by the library itself. Without a database users live in their cookies.\nexport const auth = betterAuth({\n  baseURL: `http://localhost:${PORT}`,\n  plugins: [\n    genericOAuth({\n      config: [\n        {\n          providerId: 'huggingface',\n          // The provider that the library has for it knows one address only.\n          discoveryUrl: `${OPENID_PROVIDER_URL ?? 'https://huggingface.co'}/.well-known/openid-configuration`,\n          clientId: OAUTH_CLIENT_ID,\n          clientSecret: OAUTH_CLIENT_SECRET,\n          scopes: ['openid', 'profile', 'email'],\n          pkce: true,\n        },\n      ],\n    }),\n  ],\n})\n",
      },
      {
        name: 'server.js',
        text: "import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'\nimport express from 'express'\nimport { auth } from './auth.js'\n\nconst { PORT = 3000 } = process.env\n\nconst app = express()\napp.all('/api/auth/*splat', toNodeHandler(auth))\n\napp.get('/', async (request, response) => {\n  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })\n  const refusal = request.query.error_description ?? request.query.error\n  const said = refusal === undefined ? '' : `<p role=\"alert\">${escape(String(refusal))}</p>`\n  const status = session\n    ? `<p>Signed in as ${escape(session.user.name)}</p><form action=\"/logout\" method=\"post\"><button>Sign out</button></form>`\n    : '<p>Not signed in</p><form action=\"/login\" method=\"post\"><button>Sign in</button></form>'\n  response.send(said + status)\n})\napp.post('/login', async (request, response) => {\n  const { headers, response: answer } = await auth.api.signInSocial({\n    body: { provider: 'huggingface', callbackURL: '/', errorCallbackURL: '/' },\n    headers: fromNodeHeaders(request.headers),\n    returnHeaders: true,\n  })\n  response.setHeaders(headers).redirect(answer.url)\n})\napp.post('/logout', async (request, response) => {\n  const { headers } = await auth.api.signOut({\n    headers: fromNodeHeaders(request.headers),\n    returnHeaders: true,\n  })\n  response.setHeaders(headers).redirect('/')\n})\n\nfunction escape(text) {\n  return text.replace(/[&<>\"']/g, (character) => `&#${character.charCodeAt(0)};`)\n}\n\napp.listen(PORT, () => console.log(`http://localhost:${PORT}`))\n",
      },
    ],
  },
  passport: {
    install:
      'npm init -y && npm pkg set type=module && npm install express@5.3.0 express-session@1.19.0 openid-client@6.8.9 passport@0.7.0',
    files: [
      {
        name: 'server.js',
        text: "import express from 'express'\nimport session from 'express-session'\nimport * as client from 'openid-client'\nimport { Strategy } from 'openid-client/passport'\nimport passport from 'passport'\n\nconst { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, PORT = 3000 } = process.env\nconst issuer = new URL(OPENID_PROVIDER_URL ?? 'https://huggingface.co')\n\nconst config = await client.discovery(issuer, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, undefined, {\n  // The library insists on https, which a server on this machine has no need of.\n  execute: issuer.hostname === 'localhost' ? [client.allowInsecureRequests] : [],\n})\n\npassport.use(\n  'huggingface',\n  new Strategy(\n    {\n      config,\n      scope: 'openid profile email',\n      callbackURL: `http://localhost:${PORT}/auth/huggingface/callback`,\n    },\n    (tokens, verified) => {\n      const { sub, preferred_username: name } = tokens.claims()\n      verified(null, { id: sub, name })\n    },\n  ),\n)\npassport.serializeUser((user, done) => done(null, user))\npassport.deserializeUser((user, done) => done(null, user))\n\nconst app = express()\napp.use(\n  session({\n    secret: process.env.SESSION_SECRET ?? 'not for production',\n    resave: false,\n    saveUninitialized: false,\n  }),\n)\napp.use(passport.session())\n\napp.get('/', (request, response) => {\n  // Passport keeps here why a sign-in failed, for the next page to show.\n  const [message] = request.session.messages ?? []\n  delete request.session.messages\n  const said = message === undefined ? '' : `<p role=\"alert\">${escape(message)}</p>`\n  const status = request.user\n    ? `<p>Signed in as ${escape(request.user.name)}</p><form action=\"/logout\" method=\"post\"><button>Sign out</button></form>`\n    : '<p>Not signed in</p><a href=\"/auth/huggingface\">Sign in</a>'\n  response.send(said + status)\n})\napp.get('/auth/huggingface', passport.authenticate('huggingface'))\napp.get(\n  '/auth/huggingface/callback',\n  passport.authenticate('huggingface', {\n    successRedirect: '/',\n    failureRedirect: '/',\n    failureMessage: true,\n  }),\n)\napp.post('/logout', (request, response, next) => {\n  request.logout((error) => (error ? next(error) : response.redirect('/')))\n})\n\n// The hub does not answer, or its answer is not the one to this sign-in.\napp.use((error, _request, response, _next) => {\n  response.status(502).send(`<p role=\"alert\">The sign-in failed: ${escape(error.message)}</p>`)\n})\n\nfunction escape(text) {\n  return text.replace(/[&<>\"']/g, (character) => `&#${character.charCodeAt(0)};`)\n}\n\napp.listen(PORT, () => console.log(`http://localhost:${PORT}`))\n",
      },
    ],
  },
  nextjs: {
    install:
      'npm init -y && npm pkg set type=module && npm install next@16.4.6 next-auth@5.0.0-beta.32 react@19.3.1 react-dom@19.3.1',
    files: [
      {
        name: 'auth.js',
        text: "import NextAuth from 'next-auth'\nimport HuggingFace from 'next-auth/providers/huggingface'\n\n// AUTH_SECRET is read by the library itself.\nexport const { auth, handlers, signIn, signOut } = NextAuth({\n  trustHost: true,\n  providers: [\n    HuggingFace({\n      issuer: process.env.OPENID_PROVIDER_URL ?? 'https://huggingface.co',\n      clientId: process.env.OAUTH_CLIENT_ID,\n      clientSecret: process.env.OAUTH_CLIENT_SECRET,\n      // A public app has no secret.\n      client: process.env.OAUTH_CLIENT_SECRET ? {} : { token_endpoint_auth_method: 'none' },\n      authorization: { params: { scope: 'openid profile email' } },\n    }),\n  ],\n  // Where the library says what went wrong, instead of at its own page.\n  pages: { signIn: '/', error: '/' },\n})\n",
      },
      {
        name: 'app/api/auth/[...nextauth]/route.js',
        text: "import { handlers } from '../../../../auth.js'\n\nexport const { GET, POST } = handlers\n",
      },
      {
        name: 'app/page.js',
        text: "import { auth, signIn, signOut } from '../auth.js'\n\nasync function enter() {\n  'use server'\n  await signIn('huggingface', { redirectTo: '/' })\n}\n\nasync function leave() {\n  'use server'\n  await signOut({ redirectTo: '/' })\n}\n\nexport default async function Page({ searchParams }) {\n  const session = await auth()\n  const { error } = await searchParams\n  return (\n    <>\n      {error && <p role=\"alert\">The sign-in failed: {error}</p>}\n      <p>{session ? `Signed in as ${session.user.email}` : 'Not signed in'}</p>\n      <form action={session ? leave : enter}>\n        <button>{session ? 'Sign out' : 'Sign in'}</button>\n      </form>\n    </>\n  )\n}\n",
      },
      {
        name: 'app/layout.js',
        text: 'export const metadata = { title: \'Sign in with the Hub\' }\n\nexport default function Layout({ children }) {\n  return (\n    <html lang="en">\n      <body>{children}</body>\n    </html>\n  )\n}\n',
      },
    ],
  },
  hono: {
    install:
      'npm init -y && npm pkg set type=module && npm install @hono/node-server@2.1.8 hono@4.13.19 openid-client@6.8.9',
    files: [
      {
        name: 'server.js',
        text: "import { serve } from '@hono/node-server'\nimport { Hono } from 'hono'\nimport { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'\nimport { html } from 'hono/html'\nimport * as client from 'openid-client'\n\nconst { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, PORT = 3000 } = process.env\nconst issuer = new URL(OPENID_PROVIDER_URL ?? 'https://huggingface.co')\nconst redirectUri = `http://localhost:${PORT}/callback`\nconst cookieSecret = process.env.COOKIE_SECRET ?? 'not for production'\nconst cookieOptions = { path: '/', httpOnly: true, sameSite: 'Lax' }\n\nconst config = await client.discovery(issuer, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, undefined, {\n  // The library insists on https, which a server on this machine has no need of.\n  execute: issuer.hostname === 'localhost' ? [client.allowInsecureRequests] : [],\n})\n\nconst app = new Hono()\n\napp.get('/', async (context) => {\n  const name = await getSignedCookie(context, cookieSecret, 'user')\n  return context.html(\n    name\n      ? html`<p>Signed in as ${name}</p>\n          <form action=\"/logout\" method=\"post\"><button>Sign out</button></form>`\n      : html`<p>Not signed in</p>\n          <a href=\"/login\">Sign in</a>`,\n  )\n})\n\napp.get('/login', async (context) => {\n  const verifier = client.randomPKCECodeVerifier()\n  const state = client.randomState()\n  await setSignedCookie(context, 'checks', `${state} ${verifier}`, cookieSecret, {\n    ...cookieOptions,\n    maxAge: 600,\n  })\n  const url = client.buildAuthorizationUrl(config, {\n    redirect_uri: redirectUri,\n    scope: 'openid profile',\n    state,\n    code_challenge: await client.calculatePKCECodeChallenge(verifier),\n    code_challenge_method: 'S256',\n  })\n  return context.redirect(url.href)\n})\n\napp.get('/callback', async (context) => {\n  const checks = await getSignedCookie(context, cookieSecret, 'checks')\n  deleteCookie(context, 'checks', cookieOptions)\n  if (!checks) return context.text('This sign-in was not begun here, or took too long.', 400)\n  const [expectedState, pkceCodeVerifier] = checks.split(' ')\n  const answer = new URL(redirectUri)\n  answer.search = new URL(context.req.url).search\n  try {\n    const tokens = await client.authorizationCodeGrant(config, answer, {\n      expectedState,\n      pkceCodeVerifier,\n    })\n    const { preferred_username: name } = tokens.claims()\n    await setSignedCookie(context, 'user', name, cookieSecret, cookieOptions)\n    return context.redirect('/')\n  } catch (error) {\n    if (error instanceof client.AuthorizationResponseError) {\n      return context.text(`Not signed in: ${error.error_description ?? error.error}`, 403)\n    }\n    // The hub does not answer, or its answer is not the one to this sign-in.\n    return context.text(`The sign-in failed: ${error.message}`, 502)\n  }\n})\n\napp.post('/logout', (context) => {\n  deleteCookie(context, 'user', cookieOptions)\n  return context.redirect('/')\n})\n\nserve({ fetch: app.fetch, port: Number(PORT) })\n",
      },
    ],
  },
  authlib: {
    install:
      'python3 -m venv .venv && . .venv/bin/activate && pip install authlib==1.9.9 flask==3.1.3 requests==2.34.2',
    files: [
      {
        name: 'app.py',
        text: 'import os\n\nimport requests\nfrom authlib.integrations.flask_client import OAuth, OAuthError\nfrom flask import Flask, redirect, session, url_for\nfrom markupsafe import escape\n\napp = Flask(__name__)\napp.secret_key = os.environ.get("COOKIE_SECRET", "not for production")\n# A name of its own: browsers share cookies between the ports of a host.\napp.config["SESSION_COOKIE_NAME"] = "my_app"\n\nissuer = os.environ.get("OPENID_PROVIDER_URL", "https://huggingface.co")\noauth = OAuth(app)\noauth.register(\n    "hub",\n    server_metadata_url=f"{issuer}/.well-known/openid-configuration",\n    client_id=os.environ["OAUTH_CLIENT_ID"],\n    client_secret=os.environ.get("OAUTH_CLIENT_SECRET"),\n    client_kwargs={"scope": "openid profile", "code_challenge_method": "S256"},\n)\n\n\n@app.get("/")\ndef home():\n    name = session.get("user")\n    if name is None:\n        return \'<p>Not signed in</p><a href="/login">Sign in</a>\'\n    return (\n        f"<p>Signed in as {escape(name)}</p>"\n        \'<form action="/logout" method="post"><button>Sign out</button></form>\'\n    )\n\n\n@app.get("/login")\ndef login():\n    return oauth.hub.authorize_redirect(url_for("callback", _external=True))\n\n\n@app.get("/callback")\ndef callback():\n    try:\n        token = oauth.hub.authorize_access_token()\n    except OAuthError as error:\n        return f"Not signed in: {escape(error.description)}", 403\n    except requests.RequestException:\n        return "The hub does not answer. Try again.", 502\n    claims = token["userinfo"]\n    # A user can refuse the scope profile.\n    session["user"] = claims.get("preferred_username", claims["sub"])\n    return redirect("/")\n\n\n@app.post("/logout")\ndef logout():\n    session.clear()\n    return redirect("/")\n\n\nif __name__ == "__main__":\n    app.run(host="localhost", port=int(os.environ.get("PORT", "8000")))\n',
      },
    ],
  },
  fastapi: {
    install:
      'python3 -m venv .venv && . .venv/bin/activate && pip install authlib==1.9.9 fastapi==0.165.0 httpx==0.28.1 itsdangerous==2.2.0 uvicorn==0.54.0',
    files: [
      {
        name: 'app.py',
        text: 'import os\n\nimport httpx\nfrom authlib.integrations.starlette_client import OAuth, OAuthError\nfrom fastapi import FastAPI, Request\nfrom fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse\nfrom starlette.middleware.sessions import SessionMiddleware\n\napp = FastAPI()\n# A name of its own: browsers share cookies between the ports of a host.\napp.add_middleware(\n    SessionMiddleware,\n    secret_key=os.environ.get("COOKIE_SECRET", "not for production"),\n    session_cookie="my_app",\n)\n\nissuer = os.environ.get("OPENID_PROVIDER_URL", "https://huggingface.co")\noauth = OAuth()\noauth.register(\n    "hub",\n    server_metadata_url=f"{issuer}/.well-known/openid-configuration",\n    client_id=os.environ["OAUTH_CLIENT_ID"],\n    client_secret=os.environ.get("OAUTH_CLIENT_SECRET"),\n    client_kwargs={"scope": "openid profile", "code_challenge_method": "S256"},\n)\n\n\n@app.get("/")\nasync def home(request: Request):\n    name = request.session.get("user")\n    if name is None:\n        return HTMLResponse(\'<p>Not signed in</p><a href="/login">Sign in</a>\')\n    return HTMLResponse(\n        f"<p>Signed in as {name}</p>"\n        \'<form action="/logout" method="post"><button>Sign out</button></form>\'\n    )\n\n\n@app.get("/login")\nasync def login(request: Request):\n    return await oauth.hub.authorize_redirect(request, request.url_for("callback"))\n\n\n@app.get("/callback")\nasync def callback(request: Request):\n    try:\n        token = await oauth.hub.authorize_access_token(request)\n    except OAuthError as error:\n        return PlainTextResponse(f"Not signed in: {error.description}", status_code=403)\n    except httpx.HTTPError:\n        return PlainTextResponse("The hub does not answer. Try again.", status_code=502)\n    claims = token["userinfo"]\n    # A user can refuse the scope profile.\n    request.session["user"] = claims.get("preferred_username", claims["sub"])\n    return RedirectResponse("/", status_code=303)\n\n\n@app.post("/logout")\nasync def logout(request: Request):\n    request.session.clear()\n    return RedirectResponse("/", status_code=303)\n\n\nif __name__ == "__main__":\n    import uvicorn\n\n    uvicorn.run(app, host="localhost", port=int(os.environ.get("PORT", "8000")))\n',
      },
    ],
  },
  gradio: {
    install: "python3 -m venv .venv && . .venv/bin/activate && pip install 'gradio[oauth]==6.31.0'",
    files: [
      {
        name: 'app.py',
        text: 'import gradio as gr\n\n\ndef greet(profile: gr.OAuthProfile | None, token: gr.OAuthToken | None) -> str:\n    if profile is None or token is None:\n        return "Please sign in."\n    return f"Hello, {profile.name}! This app may: {token.scope}"\n\n\nwith gr.Blocks() as demo:\n    gr.LoginButton()\n    greeting = gr.Markdown()\n    demo.load(greet, outputs=greeting)\n\nif __name__ == "__main__":\n    demo.launch()\n',
      },
    ],
  },
  go: {
    install:
      'go mod init example.com/sign-in && go get github.com/coreos/go-oidc/v3@v3.14.1 golang.org/x/oauth2@v0.30.0 && go mod tidy',
    files: [
      {
        name: 'main.go',
        text: '// Signs in at the hub with PKCE and shows who it is.\npackage main\n\nimport (\n\t"context"\n\t"crypto/rand"\n\t"fmt"\n\t"html"\n\t"log"\n\t"net/http"\n\t"os"\n\t"sync"\n\n\t"github.com/coreos/go-oidc/v3/oidc"\n\t"golang.org/x/oauth2"\n)\n\nfunc env(name, fallback string) string {\n\tif value := os.Getenv(name); value != "" {\n\t\treturn value\n\t}\n\treturn fallback\n}\n\nfunc main() {\n\taddress := "localhost:" + env("PORT", "3000")\n\tprovider, err := oidc.NewProvider(context.Background(), env("OPENID_PROVIDER_URL", "https://huggingface.co"))\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tconfig := oauth2.Config{\n\t\tClientID:     os.Getenv("OAUTH_CLIENT_ID"),\n\t\tClientSecret: os.Getenv("OAUTH_CLIENT_SECRET"),\n\t\tEndpoint:     provider.Endpoint(),\n\t\tRedirectURL:  "http://" + address + "/callback",\n\t\tScopes:       []string{oidc.ScopeOpenID, "profile"},\n\t}\n\tverifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})\n\t// The sign-ins under way: what each came with is the key to what it must prove.\n\tvar underWay sync.Map\n\n\thttp.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {\n\t\tw.Header().Set("Content-Type", "text/html; charset=utf-8")\n\t\tif user, err := r.Cookie("my_app_user"); err == nil {\n\t\t\tfmt.Fprintf(w, `<p>Signed in as %s</p><form action="/logout" method="post"><button>Sign out</button></form>`, html.EscapeString(user.Value))\n\t\t\treturn\n\t\t}\n\t\tfmt.Fprint(w, `<p>Not signed in</p><a href="/login">Sign in</a>`)\n\t})\n\n\thttp.HandleFunc("GET /login", func(w http.ResponseWriter, r *http.Request) {\n\t\tstate, secret := rand.Text(), oauth2.GenerateVerifier()\n\t\tunderWay.Store(state, secret)\n\t\thttp.SetCookie(w, &http.Cookie{Name: "my_app_state", Value: state, Path: "/", HttpOnly: true})\n\t\thttp.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(secret)), http.StatusSeeOther)\n\t})\n\n\thttp.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {\n\t\tstate, err := r.Cookie("my_app_state")\n\t\tif err != nil || state.Value != r.FormValue("state") {\n\t\t\thttp.Error(w, "This sign-in was not begun here.", http.StatusBadRequest)\n\t\t\treturn\n\t\t}\n\t\tsecret, known := underWay.LoadAndDelete(state.Value)\n\t\tif !known {\n\t\t\thttp.Error(w, "This sign-in took too long.", http.StatusBadRequest)\n\t\t\treturn\n\t\t}\n\t\tif r.FormValue("error") != "" {\n\t\t\thttp.Error(w, "Not signed in: "+r.FormValue("error_description"), http.StatusForbidden)\n\t\t\treturn\n\t\t}\n\t\ttoken, err := config.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(secret.(string)))\n\t\tif err != nil {\n\t\t\thttp.Error(w, "Not signed in: "+err.Error(), http.StatusForbidden)\n\t\t\treturn\n\t\t}\n\t\traw, _ := token.Extra("id_token").(string)\n\t\tchecked, err := verifier.Verify(r.Context(), raw)\n\t\tif err != nil {\n\t\t\thttp.Error(w, "Not signed in: "+err.Error(), http.StatusForbidden)\n\t\t\treturn\n\t\t}\n\t\t// The library checks neither: an ID token must name its user, and when it was issued.\n\t\tif checked.Subject == "" || checked.IssuedAt.Unix() <= 0 {\n\t\t\thttp.Error(w, "Not signed in: the ID token lacks sub or iat.", http.StatusForbidden)\n\t\t\treturn\n\t\t}\n\t\tvar claims struct {\n\t\t\tUsername string `json:"preferred_username"`\n\t\t}\n\t\tif err := checked.Claims(&claims); err != nil {\n\t\t\thttp.Error(w, "Not signed in: "+err.Error(), http.StatusForbidden)\n\t\t\treturn\n\t\t}\n\t\t// An app of yours would sign this, or keep sessions.\n\t\thttp.SetCookie(w, &http.Cookie{Name: "my_app_user", Value: claims.Username, Path: "/", HttpOnly: true})\n\t\thttp.Redirect(w, r, "/", http.StatusSeeOther)\n\t})\n\n\thttp.HandleFunc("POST /logout", func(w http.ResponseWriter, r *http.Request) {\n\t\thttp.SetCookie(w, &http.Cookie{Name: "my_app_user", Path: "/", MaxAge: -1})\n\t\thttp.Redirect(w, r, "/", http.StatusSeeOther)\n\t})\n\n\tlog.Fatal(http.ListenAndServe(address, nil))\n}\n',
      },
    ],
  },
  'huggingface-js': {
    install:
      'npm init -y && npm pkg set type=module && npm install @huggingface/hub@2.17.5 vite@8.3.8',
    files: [
      {
        name: 'main.js',
        text: "import { oauthHandleRedirectIfPresent, oauthLoginUrl } from '@huggingface/hub'\n\n/* global clientId, hubUrl -- vite.config.js defines them */\nconst [signIn, signOut] = document.querySelectorAll('button')\n\nsignIn.addEventListener('click', async () => {\n  const redirectUrl = `${location.origin}/`\n  location.href = await oauthLoginUrl({ clientId, hubUrl, redirectUrl, scopes: 'openid profile' })\n})\nsignOut.addEventListener('click', () => {\n  localStorage.removeItem('user')\n  show()\n})\n\nfunction show(refusal) {\n  const user = localStorage.getItem('user')\n  const status = user === null ? 'Not signed in' : `Signed in as ${user}`\n  document.querySelector('[role=status]').textContent = refusal ?? status\n  signIn.hidden = user !== null\n  signOut.hidden = user === null\n}\n\ntry {\n  const result = await oauthHandleRedirectIfPresent({ hubUrl })\n  if (result) localStorage.setItem('user', result.userInfo.preferred_username)\n  show()\n} catch (error) {\n  show(`Not signed in: ${error.message}`)\n}\n// The code in the address is used up.\nhistory.replaceState({}, '', location.pathname)\n",
      },
      {
        name: 'index.html',
        text: '<!doctype html>\n<html lang="en">\n  <head>\n    <meta charset="utf-8" />\n    <link rel="icon" href="data:," />\n    <title>Sign in with the Hub</title>\n  </head>\n  <body>\n    <p role="status"></p>\n    <button hidden>Sign in</button>\n    <button hidden>Sign out</button>\n    <script type="module" src="/main.js"></script>\n  </body>\n</html>\n',
      },
      {
        name: 'vite.config.js',
        text: "import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  server: { port: Number(process.env.PORT ?? 3000) },\n  // What the page may know; a page keeps no secret, so its app is a public one.\n  define: {\n    hubUrl: JSON.stringify(process.env.OPENID_PROVIDER_URL ?? 'https://huggingface.co'),\n    clientId: JSON.stringify(process.env.OAUTH_CLIENT_ID),\n  },\n})\n",
      },
    ],
  },
  curl: {
    files: [
      {
        name: 'sign-in.sh',
        text: '#!/bin/sh\n# Signs in with a device code (RFC 8628) and shows who it is.\nset -eu\nhub="${OPENID_PROVIDER_URL:-https://huggingface.co}"\n\n# post PATH NAME=VALUE…: sends a form as the app.\npost() {\n  url="$hub$1"\n  shift\n  set -- "$@" "client_id=$OAUTH_CLIENT_ID"\n  # A public app has no secret.\n  if [ -n "${OAUTH_CLIENT_SECRET:-}" ]; then set -- "$@" "client_secret=$OAUTH_CLIENT_SECRET"; fi\n  for field; do\n    shift\n    set -- "$@" --data-urlencode "$field"\n  done\n  curl -sS "$url" "$@"\n}\n\n# value NAME: the first member of this name in the JSON on stdin.\nvalue() {\n  grep -o \'"\'"$1"\'":"\\{0,1\\}[^",}]*\' | head -n 1 | sed \'s/^"[^"]*":"\\{0,1\\}//\'\n}\n\ndevice="$(post /oauth/device "scope=openid profile")"\ncode="$(printf %s "$device" | value device_code)"\nif [ -z "$code" ]; then\n  echo "Not signed in: $device" >&2\n  exit 1\nfi\necho "Open $(printf %s "$device" | value verification_uri) and enter $(printf %s "$device" | value user_code)"\n\ninterval="$(printf %s "$device" | value interval)"\n# Without an interval it is 5 seconds (RFC 8628 §3.2).\ninterval="${interval:-5}"\nwhile :; do\n  sleep "$interval"\n  answer="$(post /oauth/token "grant_type=urn:ietf:params:oauth:grant-type:device_code" "device_code=$code")"\n  case "$(printf %s "$answer" | value error)" in\n    authorization_pending) ;;\n    slow_down) interval=$((interval + 5)) ;;\n    "") break ;;\n    *)\n      echo "Not signed in: $(printf %s "$answer" | value error_description)" >&2\n      exit 1\n      ;;\n  esac\ndone\n\nuser="$(curl -sS "$hub/oauth/userinfo" -H "Authorization: Bearer $(printf %s "$answer" | value access_token)")"\necho "Signed in as $(printf %s "$user" | value preferred_username)"\n',
      },
    ],
  },
}
