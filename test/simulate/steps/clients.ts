import { idTokenType } from '../../../server/contract/words/ci-words.ts'
import { tokenExchangeGrant } from '../../../server/contract/words/oauth-words.ts'
import { formOf } from '../world/pages.ts'
import { apps, outsider, redirectUri, userNames } from '../world/fixtures.ts'
import { documentUrls } from '../world/network.ts'
import type { World } from '../world/world.ts'
import { sendCommit } from './hub.ts'
import {
  askForDevice,
  busy,
  challenge,
  deviceForm,
  logIn,
  signInAndRedeem,
  startGrant,
  take,
  tokenRequest,
} from './oauth.ts'
import type { Steps } from './step.ts'

/** Returns a function that returns true while nothing has happened that explains a refusal or a loss. */
export function steady(world: World): () => boolean {
  const { epoch, clockMoves } = world.facts
  const { starts } = world
  return () =>
    world.facts.isSame(epoch) && world.facts.clockMoves === clockMoves && world.starts === starts
}

async function register(world: World): Promise<void> {
  const reply = await world.send('/oauth/register', {
    method: 'POST',
    json: {
      redirect_uris: [redirectUri],
      client_name: `Client ${world.random.int(1000)}`,
      scope: 'openid profile email',
      token_endpoint_auth_method: 'none',
    },
  })
  if (reply.status !== 201) return
  await signInAndRedeem(world, (reply.json() as { client_id: string }).client_id)
}

/** Disconnects an app: all tokens of the user for it are void. */
async function disconnect(world: World): Promise<void> {
  const live = world.facts.grants.filter(({ standing }) => standing === 'live')
  if (live.length === 0) return
  const { user, clientId } = world.random.pick(live)
  const { epoch } = world.facts
  const known = live.filter((grant) => grant.user === user && grant.clientId === clientId)
  const isRedeemed = known.filter((grant) => grant.access.size > 0 && !busy.has(grant))
  for (const grant of known) grant.standing = 'unsure'
  const query = new URLSearchParams({ user, clientId }).toString()
  world.facts.disconnects += 1
  const reply = await world
    .control('DELETE', `consents?${query}`)
    .finally(() => (world.facts.disconnects += 1))
  if (reply.status !== 200 || !world.facts.isSame(epoch)) return
  for (const grant of isRedeemed) {
    grant.standing = 'gone'
    grant.changedAt = world.scheduler.now
  }
}

async function deny(world: World): Promise<void> {
  const reply = await world.control('POST', 'authorize', {
    user: world.random.pick(userNames),
    decision: 'deny',
    client_id: apps.public.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  if (reply.text.includes('code=')) world.fail('who denies gives nothing', reply.text)
}

/** A person types the code of a device into the page, wrongly now and then. */
async function typeDeviceCode(world: World): Promise<void> {
  const isSame = steady(world)
  const { disconnects } = world.facts
  const user = world.random.pick(userNames)
  const codes = await askForDevice(world)
  const headers = await logIn(world, user)
  if (codes === undefined) return
  const { device_code, user_code } = codes
  const poll = () => tokenRequest(world, { client_id: apps.public.id, ...deviceForm(device_code) })
  // A second poll within five seconds is one too many.
  if (world.random.chance(0.3)) {
    const early = await poll()
    if (early.status === 200) world.fail('who denies gives nothing', early.text)
  }
  const typed = world.random.chance(0.2) ? 'BCDF-GHJK' : user_code
  const decision = world.random.pick(['approve', 'deny'])
  const asked = await world.send('/oauth/device', { headers })
  const shown = await world.send('/oauth/device/verify', {
    method: 'POST',
    form: { ...formOf(asked.text), user_code: typed },
    headers,
  })
  const next = [shown.headers['location']].flat().join('')
  if (shown.status !== 303 || !next.includes('checked=')) return
  const question = await world.send(next, { headers })
  const { clockMoves } = world.facts
  await world.send('/oauth/device/verify', {
    method: 'POST',
    form: { ...formOf(question.text), user_code: typed, decision },
    headers,
  })
  await world.send(`/oauth/device/done?user_code=${user_code}`, { headers })
  const late = await poll()
  if (late.status !== 200) return
  if (decision === 'deny') return world.fail('who denies gives nothing', late.text)
  if (!isSame()) return
  const grant = startGrant(world, { user, clientId: apps.public.id, code: undefined }, disconnects)
  take(world, grant, late, clockMoves)
}

/** A token that its holder reports as leaked is void from then on. */
async function leak(world: World): Promise<void> {
  const isSame = steady(world)
  const isOfApp = world.random.chance(0.5)
  const minted = await world.control('POST', 'tokens', {
    user: world.random.pick(userNames),
    ...(isOfApp
      ? { clientId: apps.public.id, scope: 'openid profile' }
      : { role: world.random.pick(['read', 'write']), name: `token ${world.random.int(1000)}` }),
  })
  if (minted.status >= 300) return
  const { access_token: token } = minted.json() as { access_token: string }
  const first = await world.send('/api/whoami-v2', { token })
  const reported = await world.send('/api/credentials/revoke', {
    method: 'POST',
    json: { credentials: [token] },
  })
  if (first.status !== 200 || reported.status >= 300) return
  const second = await world.send('/api/whoami-v2', { token })
  if (isSame() && second.status === 200) {
    world.fail('a token is valid as long as its grant', 'one that was reported as leaked is valid')
  }
}

/** A CI job gets a token for the repo that trusts it, and for no other. */
async function publish(world: World): Promise<void> {
  const isSame = steady(world)
  // No other publisher has the same.
  const repository = `labs/publish-${world.scheduler.count}-${world.random.int(1_000_000)}`
  const claims = { repository, ref: 'refs/heads/main' }
  const resource = `datasets/${outsider.organization}/${outsider.repo}`
  const created = await world.control('POST', 'trusted-publishers', {
    resource,
    name: `job ${world.random.int(1000)}`,
    provider: 'github',
    claims,
  })
  if (created.status !== 201) return
  const { id } = created.json() as { id: string }
  const isOther = world.random.chance(0.2)
  const job = await world.control('POST', 'ci/tokens', {
    provider: world.random.pick(['github', 'github', 'gitlab']),
    claims: isOther ? { ...claims, ref: 'refs/heads/other' } : claims,
  })
  if (job.status >= 300) return
  const { token: subject } = job.json() as { token: string }
  const exchange = () =>
    tokenRequest(world, {
      grant_type: tokenExchangeGrant,
      subject_token: subject,
      subject_token_type: idTokenType,
      resource,
    })
  const given = await exchange()
  if (given.status === 200) {
    const { access_token: token } = given.json() as { access_token: string }
    if (isOther) world.fail('a job writes to the repo that trusts it', 'its branch differs')
    const file = { path: 'data.txt', text: `${world.random.int(1000)}` }
    await sendCommit(world, resource, file, token)
    const other = await sendCommit(world, 'datasets/acme/corpus', file, token)
    if (other.status < 300)
      world.fail('a job writes to the repo that trusts it', 'it wrote to acme/corpus')
  }
  const removed = await world.control('DELETE', `trusted-publishers/${id}`)
  if (removed.status >= 300) return
  const late = await exchange()
  if (late.status === 200 && isSame())
    world.fail('a job writes to the repo that trusts it', 'its publisher was deleted')
}

export const clientSteps: Steps = {
  'sign in with a document': {
    weight: 3,
    run: (world) => signInAndRedeem(world, world.random.pick(documentUrls)),
  },
  'register a client': { weight: 2, run: register },
  'disconnect an app': { weight: 1, run: disconnect },
  'deny a sign-in': { weight: 1, run: deny },
  'type a device code': { weight: 2, run: typeDeviceCode },
  'report a leaked token': { weight: 2, run: leak },
  'publish by a job': { weight: 2, run: publish },
}
