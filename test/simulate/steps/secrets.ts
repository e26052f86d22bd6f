import { apps, redirectUri, scopes, userNames } from '../world/fixtures.ts'
import type { OwnApp, OwnToken } from '../world/secret-facts.ts'
import type { World } from '../world/world.ts'
import { startGrant, take, tokenRequest } from './oauth.ts'
import type { Steps } from './step.ts'
import { changeWebhook } from './webhooks.ts'

/** Time around an expiry in which a token may be valid or not, in milliseconds. */
const slackMs = 60_000

async function createApp(world: World): Promise<void> {
  const { secrets, epoch } = world.facts
  if (secrets.apps.length >= 3) return
  const name = `Own app ${world.random.int(10_000)}`
  const json = { name, redirectUris: [redirectUri], scopes }
  const reply = await world.control('POST', 'apps', json)
  if (!world.facts.isSame(epoch) || reply.status !== 201) return
  const { clientId: id, clientSecret: secret } = reply.json() as {
    clientId: string
    clientSecret: string
  }
  const { now: changedAt } = world.scheduler
  secrets.apps.push({ id, secret, old: [], changedAt })
}

/** A new secret of an app: only that is accepted from then on. */
async function rotate(world: World): Promise<void> {
  const { secrets } = world.facts
  if (secrets.apps.length === 0) await createApp(world)
  if (secrets.apps.length === 0) return
  const app = world.random.pick(secrets.apps)
  const { secret } = app
  // Without a response, nobody knows which one is accepted.
  secrets.apps = secrets.apps.filter((one) => one !== app)
  const { epoch } = world.facts
  const reply = await world.control('POST', `apps/${app.id}/secret`, {})
  if (reply.status >= 300 || !world.facts.isSame(epoch)) return
  const { clientSecret } = reply.json() as { clientSecret: string }
  const { now: changedAt } = world.scheduler
  secrets.apps.push({ ...app, secret: clientSecret, old: [...app.old, secret], changedAt })
  await authenticate(world)
}

/** Authenticates an app by each secret that it has had. */
async function authenticate(world: World): Promise<void> {
  const { apps: known } = world.facts.secrets
  if (known.length === 0) return
  const app = world.random.pick(known)
  for (const given of [app.secret, ...app.old.slice(-2)]) await tryAs(world, app, given)
}

/** Authenticates an app. The code is wrong, so that there are no tokens. */
async function tryAs(world: World, app: OwnApp, given: string): Promise<void> {
  const { id, secret } = app
  const isInHeader = world.random.chance(0.5)
  const form = { grant_type: 'authorization_code', code: 'none', redirect_uri: redirectUri }
  const reply = await (isInHeader
    ? world.send('/oauth/token', {
        method: 'POST',
        form,
        headers: { authorization: `Basic ${btoa(`${id}:${given}`)}` },
      })
    : tokenRequest(world, { ...form, client_id: id, client_secret: given }))
  if (!world.facts.secrets.apps.includes(app) || reply.status >= 500) return
  const isAccepted = !reply.text.includes('invalid_client')
  if (isAccepted === (given === secret)) return
  world.fail(
    'only the newest secret of an app is accepted',
    `${given === secret ? 'the newest' : 'an old'} secret of ${id} was answered with ${reply.status}: ${reply.text}`,
  )
}

async function mintUserToken(world: World): Promise<void> {
  const { secrets, epoch, clockMoves } = world.facts
  if (secrets.tokens.length >= 4) secrets.tokens.shift()
  const user = world.random.pick(userNames)
  const expiresIn = world.random.pick([undefined, 600, 600, 7200])
  const reply = await world.control('POST', 'tokens', {
    user,
    role: world.random.pick(['read', 'write']),
    ...(expiresIn !== undefined && { expiresIn }),
  })
  if (!world.facts.isSame(epoch) || reply.status >= 300) return
  // How long it lives is known only if the clock stood still meanwhile.
  if (expiresIn !== undefined && clockMoves !== world.facts.clockMoves) return
  secrets.tokens.push({
    user,
    text: (reply.json() as { access_token: string }).access_token,
    expiresAt: expiresIn === undefined ? undefined : world.now() + expiresIn * 1000,
    moves: clockMoves,
    isRevoked: false,
    changedAt: world.scheduler.now,
  })
  await tryTokens(world)
}

/** A token of an app without a flow. It is refreshed and used as others are. */
async function mintAppToken(world: World): Promise<void> {
  const { epoch, clockMoves, disconnects } = world.facts
  const user = world.random.pick(userNames)
  const clientId = apps.public.id
  const scope = 'openid profile'
  const reply = await world.control('POST', 'tokens', { user, clientId, scope })
  if (!world.facts.isSame(epoch) || reply.status >= 300) return
  const grant = startGrant(world, { user, clientId, code: undefined }, disconnects)
  take(world, grant, reply, clockMoves)
}

async function revoke(world: World): Promise<void> {
  const known = world.facts.secrets.tokens.filter(({ isRevoked }) => isRevoked === false)
  if (known.length === 0) return
  const token = world.random.pick(known)
  const { text, user } = token
  const list = await world.control('GET', `tokens?user=${user}&limit=100`)
  const { items = [] } = list.json() as { items?: { id: string; token: string }[] }
  const found = items.find((one) => one.token === text)
  token.isRevoked = undefined
  const reply =
    found === undefined || world.random.chance(0.5)
      ? await world.send('/api/credentials/revoke', {
          method: 'POST',
          json: { credentials: [text] },
        })
      : await world.control('DELETE', `tokens/${found.id}`)
  if (reply.status >= 300) return
  token.isRevoked = true
  token.changedAt = world.scheduler.now
}

/** What a token must do at a time; `undefined` if nobody knows. */
function isValid(world: World, { isRevoked, expiresAt, moves }: OwnToken): boolean | undefined {
  if (isRevoked !== false) return isRevoked === undefined ? undefined : false
  if (expiresAt === undefined) return true
  const left = expiresAt - world.now()
  // One that was expired once may be forgotten, although the clock was set back.
  if (Math.abs(left) < slackMs || (left > 0 && moves !== world.facts.clockMoves)) return undefined
  return left > 0
}

async function tryTokens(world: World): Promise<void> {
  for (const token of world.facts.secrets.tokens) await tryToken(world, token)
}

async function tryToken(world: World, token: OwnToken): Promise<void> {
  const { clockMoves } = world.facts
  const expected = isValid(world, token)
  const reply = await world.send('/api/whoami-v2', { token: token.text })
  const isSame = world.facts.secrets.tokens.includes(token) && clockMoves === world.facts.clockMoves
  const isKnown = isSame && expected !== undefined && isValid(world, token) === expected
  if (!isKnown || reply.status >= 500 || (reply.status === 200) === expected) return
  world.fail(
    'a user token is valid until it expires or is revoked',
    `one that is ${expected ? 'valid' : 'not valid'} was answered with ${reply.status}: ${reply.text}`,
  )
}

/** A new secret of a webhook: what is sent from then on carries it. */
const rotateOfWebhook = (world: World) =>
  changeWebhook(world, async (hook, id) => {
    const secret = `${hook.name}.${world.scheduler.count}`
    hook.secret = undefined
    const reply = await world.control('PATCH', `webhooks/${id}`, { secret })
    if (reply.status !== 200) return false
    hook.secret = secret
    return true
  })

export const secretSteps: Steps = {
  'create an app with a secret': { weight: 0.2, run: createApp },
  'rotate the secret of an app': { weight: 0.4, run: rotate },
  'authenticate an app': { weight: 0.5, run: authenticate },
  'make a user token': { weight: 0.4, run: mintUserToken },
  'make a token of an app': { weight: 0.2, run: mintAppToken },
  'revoke a user token': { weight: 0.2, run: revoke },
  'use user tokens': { weight: 0.6, run: tryTokens },
  'rotate the secret of a webhook': { weight: 0.4, run: rotateOfWebhook },
}
