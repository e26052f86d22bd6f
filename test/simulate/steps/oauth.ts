import { createHash } from 'node:crypto'
import { deviceCodeGrant, tokenExchangeGrant } from '../../../server/contract/words/oauth-words.ts'
import { apps, redirectUri, userNames } from '../world/fixtures.ts'
import type { Grant, Named } from '../world/facts.ts'
import { ConnectionLost, type Reply, type World } from '../world/world.ts'
import type { Steps } from './step.ts'

const verifier = 'the-verifier-of-the-simulator-is-long-enough'
export const challenge = createHash('sha256').update(verifier).digest('base64url')
/** Time around an expiry in which a token may be valid or not, in milliseconds. */
const slackMs = 60_000

interface TokenBody {
  access_token: string
  refresh_token?: string
  expires_in: number
}

const client = (grant: Pick<Grant, 'clientId'>): Record<string, string> =>
  grant.clientId === apps.secret.id
    ? { client_id: apps.secret.id, client_secret: apps.secret.secret }
    : { client_id: grant.clientId }

export const tokenRequest = (world: World, form: Record<string, string>) =>
  world.send('/oauth/token', { method: 'POST', form })

/**
 * Notes new tokens of a grant.
 * @param moves of the clock when they were asked for: if it has moved since, their expiry is unknown
 */
export function take(world: World, grant: Grant, reply: Reply, moves: number): void {
  const body = reply.json() as TokenBody
  const issuedAt = moves === world.facts.clockMoves ? world.now() : Number.NaN
  grant.access.set(body.access_token, issuedAt + body.expires_in * 1000)
  grant.refresh = body.refresh_token
  grant.changedAt = world.scheduler.now
}

/** Does something to a grant whose outcome is in doubt until the response has come. */
async function ask(
  world: World,
  grant: Grant,
  form: Record<string, string>,
): Promise<Reply | undefined> {
  const { epoch } = world.facts
  try {
    const reply = await tokenRequest(world, { ...client(grant), ...form })
    if (!world.facts.isSame(epoch)) return undefined
    if (reply.status >= 500) grant.standing = 'unsure'
    return reply
  } catch (error) {
    if (error instanceof ConnectionLost) grant.standing = 'unsure'
    throw error
  }
}

/** Logs a user in, and returns the headers of the browser from then on. */
export async function logIn(world: World, user: string): Promise<{ cookie: string }> {
  const reply = await world.send('/login', { method: 'POST', form: { user } })
  return { cookie: [reply.headers['set-cookie']].flat().join(';').split(';')[0] ?? '' }
}

/** @param ownClient client id to use; default: one of the apps that the facts know */
export async function signIn(world: World, ownClient?: string): Promise<Grant | undefined> {
  const isLiveOne = ({ standing }: Named) => standing === 'live'
  const guests = world.facts.guests.filter(isLiveOne)
  const own = world.facts.apps.filter(isLiveOne)
  const guest = world.random.chance(0.3) ? world.random.pick([undefined, ...guests]) : undefined
  const app =
    ownClient === undefined && world.random.chance(0.3)
      ? world.random.pick([undefined, ...own])
      : undefined
  const user = guest?.id ?? world.random.pick(userNames)
  const clientId = ownClient ?? app?.id ?? world.random.pick([apps.public, apps.secret]).id
  const { epoch, disconnects } = world.facts
  const headers = await logIn(world, user)
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString()
  const answer = await world.send(`/oauth/authorize?${query}`, {
    method: 'POST',
    form: {},
    headers,
  })
  if (!world.facts.isSame(epoch) || answer.status !== 303) return undefined
  // Meanwhile it may have been renamed or deleted.
  const isSame = (one: Named | undefined, id: string, all: readonly Named[]) =>
    one === undefined || (all.includes(one) && isLiveOne(one) && one.id === id)
  if (!isSame(guest, user, world.facts.guests) || !isSame(app, clientId, world.facts.apps)) {
    return undefined
  }
  const code = new URL(String(answer.headers['location'])).searchParams.get('code')
  if (code === null) return undefined
  return startGrant(world, { user, clientId, code }, disconnects)
}

function newGrant(world: World, about: Pick<Grant, 'user' | 'clientId' | 'code'>): Grant {
  return {
    ...about,
    standing: 'live',
    access: new Map(),
    refresh: undefined,
    used: [],
    changedAt: world.scheduler.now,
  }
}

/**
 * Notes that a user has authorized an app.
 * @param disconnects of the facts when the user began
 */
export function startGrant(
  world: World,
  about: Pick<Grant, 'user' | 'clientId' | 'code'>,
  disconnects: number,
): Grant {
  const grant = newGrant(world, about)
  keepGrant(world, grant, disconnects)
  return grant
}

function keepGrant({ facts }: World, grant: Grant, disconnects: number): void {
  if (facts.disconnects !== disconnects) grant.standing = 'unsure'
  facts.grants.push(grant)
}

/** Asks for the codes of a device; `undefined` if they are refused. */
export async function askForDevice(world: World) {
  const started = await world.send('/oauth/device', {
    method: 'POST',
    form: { client_id: apps.public.id, scope: 'openid profile' },
  })
  if (started.status !== 200) return undefined
  return started.json() as { device_code: string; user_code: string }
}

export const deviceForm = (deviceCode: string) => ({
  grant_type: deviceCodeGrant,
  device_code: deviceCode,
})

const codeForm = (grant: Grant) => ({
  grant_type: 'authorization_code',
  code: grant.code ?? '',
  redirect_uri: redirectUri,
  code_verifier: verifier,
})

export async function redeem(world: World, grant: Grant, times: number): Promise<void> {
  const { clockMoves } = world.facts
  const replies = await Promise.all(
    Array.from({ length: times }, () => ask(world, grant, codeForm(grant))),
  )
  const successes = replies.filter((reply) => reply?.status === 200)
  if (successes.length > 1) world.fail('a code gives tokens once', 'two requests at once got some')
  const [first] = successes
  if (first !== undefined) take(world, grant, first, clockMoves)
  if (times > 1 && grant.standing === 'live') grant.standing = 'gone'
  if (times === 1 && first === undefined && grant.standing === 'live') grant.standing = 'unsure'
  grant.changedAt = world.scheduler.now
}

export async function signInAndRedeem(world: World, ownClient?: string): Promise<void> {
  await alone(await signIn(world, ownClient), (grant) => redeem(world, grant, 1))
}

/** A grant in a certain standing that nothing is done to at present. */
function choose(world: World, isRight: (grant: Grant) => boolean): Grant | undefined {
  const found = world.facts.grants.filter((grant) => !busy.has(grant) && isRight(grant))
  return found.length === 0 ? undefined : world.random.pick(found)
}

/** Grants with a request that changes them. */
export const busy = new WeakSet<Grant>()

export async function alone(grant: Grant | undefined, work: (grant: Grant) => Promise<void>) {
  if (grant === undefined) return
  busy.add(grant)
  try {
    await work(grant)
  } finally {
    busy.delete(grant)
  }
}

const isLive = ({ standing }: Grant) => standing === 'live'

async function refresh(world: World, grant: Grant, token: string, times: number): Promise<void> {
  const form = { grant_type: 'refresh_token', refresh_token: token }
  const isReplay = times > 1 || grant.used.includes(token)
  grant.refresh = undefined
  const { clockMoves } = world.facts
  const replies = await Promise.all(Array.from({ length: times }, () => ask(world, grant, form)))
  const successes = replies.filter((reply) => reply?.status === 200)
  if (successes.length > 1) world.fail('a refresh token gives tokens once', 'two at once got some')
  if (successes.length > 0 && grant.used.includes(token)) {
    world.fail('a refresh token gives tokens once', 'one got some that was used before')
  }
  grant.used.push(token)
  const [first] = successes
  if (first !== undefined) take(world, grant, first, clockMoves)
  if (grant.standing !== 'live') return
  if (isReplay) {
    grant.standing = 'gone'
    grant.changedAt = world.scheduler.now
  } else if (first === undefined) grant.standing = 'unsure'
}

/** Checks whether an access token does what its grant says. */
async function tryToken(world: World, grant: Grant): Promise<void> {
  const [token, expiresAt] = world.random.pick([...grant.access])
  const { standing } = grant
  const { epoch, clockMoves } = world.facts
  const reply = await world.send('/oauth/userinfo', { token })
  const now = world.now()
  const isKnown = clockMoves === world.facts.clockMoves && !Number.isNaN(expiresAt)
  const isNearExpiry = !isKnown || Math.abs(now - expiresAt) < slackMs
  const hasChanged = standing !== grant.standing || !world.facts.isSame(epoch) || busy.has(grant)
  if (hasChanged || isNearExpiry || standing === 'unsure' || reply.status >= 500) return
  const isValid = standing === 'live' && now < expiresAt
  if ((reply.status === 200) === isValid) return
  world.fail(
    'a token is valid as long as its grant',
    `a token of a grant that is ${standing}${now < expiresAt ? '' : ' and expired'} was answered with ${reply.status}: ${reply.text}`,
  )
}

async function device(world: World): Promise<void> {
  const { epoch, clockMoves, disconnects } = world.facts
  const user = world.random.pick(userNames)
  const codes = await askForDevice(world)
  if (codes === undefined) return
  await world.control('POST', `device/${codes.user_code}`, { user, decision: 'approve' })
  const grant = newGrant(world, { user, clientId: apps.public.id, code: undefined })
  const polls = await Promise.all(
    Array.from({ length: 2 }, () => ask(world, grant, deviceForm(codes.device_code))),
  )
  const successes = polls.filter((reply) => reply?.status === 200)
  if (successes.length > 1)
    world.fail('a device code gives tokens once', 'two requests at once got some')
  const [first] = successes
  if (first === undefined || !world.facts.isSame(epoch)) return
  take(world, grant, first, clockMoves)
  keepGrant(world, grant, disconnects)
}

async function exchange(world: World): Promise<void> {
  const user = world.random.pick([...userNames, 'nobody'])
  const { members } = world.facts
  const { id, secret } = apps.exchange
  const reply = await world.send('/oauth/token', {
    method: 'POST',
    form: {
      grant_type: tokenExchangeGrant,
      subject_token: `${user}@example.com`,
      subject_token_type: 'urn:huggingface:token-type:user-email',
      scope: 'openid profile',
    },
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
  })
  if (members === undefined || members !== world.facts.members) return
  if (reply.status === 200 && !members.roles.has(user))
    world.fail('a token of a user is exchanged for members only', reply.text)
}

export const oauthSteps: Steps = {
  'sign in': { weight: 6, run: async (world) => void (await signIn(world)) },
  'sign in and redeem': {
    weight: 6,
    run: signInAndRedeem,
  },
  redeem: {
    weight: 4,
    run: (world) =>
      alone(
        choose(
          world,
          (grant) => isLive(grant) && grant.code !== undefined && grant.access.size === 0,
        ),
        (grant) => redeem(world, grant, 1),
      ),
  },
  'redeem twice at once': {
    weight: 3,
    run: async (world) => alone(await signIn(world), (grant) => redeem(world, grant, 2)),
  },
  'replay a code': {
    weight: 1,
    run: (world) =>
      alone(
        choose(
          world,
          (grant) => isLive(grant) && grant.code !== undefined && grant.access.size > 0,
        ),
        (grant) =>
          redeem(world, grant, 1).then(() => {
            if (grant.standing === 'unsure') return
            grant.standing = 'gone'
          }),
      ),
  },
  refresh: {
    weight: 6,
    run: (world) =>
      alone(
        choose(world, (grant) => isLive(grant) && grant.refresh !== undefined),
        (grant) => refresh(world, grant, grant.refresh ?? '', 1),
      ),
  },
  'refresh twice at once': {
    weight: 2,
    run: (world) =>
      alone(
        choose(world, (grant) => isLive(grant) && grant.refresh !== undefined),
        (grant) => refresh(world, grant, grant.refresh ?? '', 2),
      ),
  },
  'use a refresh token again': {
    weight: 1,
    run: (world) =>
      alone(
        choose(world, (grant) => isLive(grant) && grant.used.length > 0),
        (grant) => refresh(world, grant, world.random.pick(grant.used), 1),
      ),
  },
  'use a token': {
    weight: 10,
    async run(world) {
      const grant = choose(world, ({ access }) => access.size > 0)
      if (grant !== undefined) await tryToken(world, grant)
    },
  },
  'sign in by device': { weight: 3, run: device },
  'exchange a token': { weight: 2, run: exchange },
}
