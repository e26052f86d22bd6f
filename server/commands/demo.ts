import { omitUndefined } from '../core/omit-undefined.ts'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppFixture, Fixtures } from '../contract/fixtures-types.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection, type ConnectOptions } from './connect.ts'
import { type Listener, withListener } from './demo-listener.ts'
import { print } from './output.ts'

export interface DemoOptions extends ConnectOptions {
  yes?: boolean
  user?: string
}

interface Scene extends Connection {
  fixtures: Fixtures
  user: string
  /** Whether the sandbox is to answer for the user. */
  yes: boolean
  readonly step: (text: string) => void
}

const flows = { 'sign-in': signIn, device, exchange, webhook } as const

/** Plays a client through a whole flow; each request and answer is shown as it is on the wire. */
export async function demo(flow: keyof typeof flows, options: DemoOptions): Promise<void> {
  const connection = await connect(options)
  const fixtures = await connection.call('GET fixtures')
  const user = options.user ?? fixtures.users[0]?.username
  if (user === undefined) throw new CommandError('The fixtures have no user.')
  let steps = 0
  const step = (text: string) => print(`\n${++steps}. ${text}\n`)
  await flows[flow]({ ...connection, fixtures, user, yes: options.yes === true, step })
}

function signIn(scene: Scene): Promise<void> {
  return withListener('/callback', (callback) => signInWith(scene, callback))
}

async function signInWith(scene: Scene, callback: Listener): Promise<void> {
  const app = requireApp(
    scene,
    ({ clientSecret, redirectUris }) =>
      clientSecret === undefined && redirectUris.includes('http://localhost/callback'),
    'a public app with the redirect URI http://localhost/callback',
  )
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(12).toString('base64url')
  const parameters = {
    client_id: app.clientId,
    redirect_uri: callback.url,
    response_type: 'code',
    scope: 'openid profile email',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  scene.step('The app sends the browser to the hub, and keeps the code verifier to itself.')
  print(`GET ${scene.url}/oauth/authorize?${new URLSearchParams(parameters).toString()}`)
  const redirect = scene.yes
    ? await authorize(scene, parameters)
    : await waitFor(callback.next, 'Open this address, sign in and approve. Waiting …')
  scene.step('The hub sends the browser back, with a code that works once.')
  print(redirect)
  const code = new URL(redirect).searchParams.get('code')
  if (code === null) throw new CommandError('There is no code: access was not granted.')

  scene.step(
    'The app exchanges the code, and proves with the verifier that it is the one that asked.',
  )
  const { access_token: token } = await postForm(scene, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: app.clientId,
    code,
    redirect_uri: callback.url,
    code_verifier: verifier,
  })
  await userinfo(scene, token)
}

async function authorize(
  { call, user }: Scene,
  parameters: Record<string, string>,
): Promise<string> {
  return (await call('POST authorize', { body: { ...parameters, user } })).redirectTo
}

async function device(scene: Scene): Promise<void> {
  const app = requireApp(scene, ({ clientSecret }) => clientSecret === undefined, 'a public app')
  scene.step('The device asks for a code.')
  const asked = await postForm(scene, '/oauth/device', { client_id: app.clientId })
  scene.step(
    `It shows the user the code ${asked.user_code} and the address ${asked.verification_uri}.`,
  )
  if (scene.yes) {
    await scene.call('POST device/:userCode', {
      params: { userCode: String(asked.user_code) },
      body: { user: scene.user, decision: 'approve' },
    })
    print(`${scene.user} approves.`)
  } else {
    process.stderr.write('Open the address, type the code and approve. Waiting …\n')
  }
  scene.step('Meanwhile it asks, every five seconds, whether the user has approved.')
  for (;;) {
    const answer = await postForm(
      scene,
      '/oauth/token',
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: app.clientId,
        device_code: String(asked.device_code),
      },
      ['authorization_pending', 'slow_down'],
    )
    if (answer.access_token !== undefined) return userinfo(scene, answer.access_token)
    await sleep(5000)
  }
}

async function exchange(scene: Scene): Promise<void> {
  const app = requireApp(
    scene,
    ({ privileges }) => privileges.includes('token-exchange'),
    'an app with the privilege token-exchange',
  )
  const organization = scene.fixtures.organizations.find(({ name }) => name === app.organization)
  const member = organization?.members.find(({ user }) => user !== scene.user)?.user ?? scene.user
  const email = scene.fixtures.users.find(({ username }) => username === member)?.email ?? ''
  scene.step(`The backend of ${app.organization} asks for a token of its member ${member}.`)
  const { access_token: token } = await postForm(
    scene,
    '/oauth/token',
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: email,
      subject_token_type: 'urn:service:token-type:user-email',
    },
    [],
    basic(app),
  )
  scene.step('The token is the member’s, bound to what belongs to the organization.')
  await show(scene, 'GET', '/api/whoami-v2', { authorization: `Bearer ${token}` })
}

function webhook(scene: Scene): Promise<void> {
  return withListener('/webhook', (receiver) => receiveWith(scene, receiver))
}

async function receiveWith(scene: Scene, receiver: Listener): Promise<void> {
  const [first] = scene.fixtures.repos
  if (first === undefined) throw new CommandError('The fixtures have no repo.')
  const { type, name: repo } = first
  scene.step(
    `A receiver listens at ${receiver.url}; a webhook tells it of all that happens to ${repo}.`,
  )
  const { id } = await scene.call('POST webhooks', {
    body: {
      user: scene.user,
      name: 'hub-sandbox demo',
      url: receiver.url,
      watched: [{ type, name: repo }],
      secret: 'sandbox_demo_secret',
    },
  })
  try {
    scene.step('Somebody pushes to the repo.')
    const result = await scene.call('POST events', {
      body: { event: 'repo.content', repo: `${type}s/${repo}` },
    })
    print(JSON.stringify(result, undefined, 2))
    scene.step('The receiver gets it.')
    print(await waitFor(receiver.next, 'Waiting for the delivery …'))
  } finally {
    await scene.call('DELETE webhooks/:id', { params: { id } })
  }
}

function requireApp(
  { fixtures }: Scene,
  fits: (app: AppFixture) => boolean,
  what: string,
): AppFixture {
  const app = fixtures.apps.find(fits)
  if (app === undefined) throw new CommandError(`For this demo the fixtures need ${what}.`)
  return app
}

function basic({ clientId, clientSecret = '' }: AppFixture): Record<string, string> {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return { authorization: `Basic ${credentials}` }
}

async function userinfo(scene: Scene, token: string | undefined): Promise<void> {
  scene.step('With the token the app reads who signed in.')
  await show(scene, 'GET', '/oauth/userinfo', { authorization: `Bearer ${token}` })
}

type Answer = Record<string, string | undefined>

/** @param expected error codes after which the flow goes on */
async function postForm(
  scene: Scene,
  path: string,
  fields: Record<string, string>,
  expected: readonly string[] = [],
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await show(
    scene,
    'POST',
    path,
    { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    new URLSearchParams(fields).toString(),
  )
  if (answer.error !== undefined && !expected.includes(answer.error)) {
    throw new CommandError(`${answer.error}: ${answer.error_description}`)
  }
  return answer
}

async function show(
  { request }: Scene,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer> {
  print(`${method} ${path}`)
  for (const [name, value] of Object.entries(headers)) print(`${name}: ${value}`)
  if (body !== undefined) print(`\n${body.replaceAll('&', '\n&')}`)
  const answer = await request({ method, path, headers, ...omitUndefined({ body }) })
  const value = JSON.parse(answer.body) as Answer
  print(`\n→ ${answer.status}\n${JSON.stringify(value, undefined, 2)}`)
  return value
}

async function waitFor(next: Promise<string>, text: string): Promise<string> {
  process.stderr.write(`${text}\n`)
  return next
}
