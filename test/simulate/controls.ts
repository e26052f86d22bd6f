import { buildProduct, type Mistake } from './build.ts'
import { installMachine } from './machine.ts'
import { play } from './play.ts'
import { writeScript } from './script.ts'
import { type InvariantName, invariantNames } from './world/violation.ts'

const oauth = 'server/hub/oauth'
const jobs = 'server/hub/jobs'
const engine = 'server/hub/webhooks/engine'

/** For each invariant a mistake that the simulator must find by it, planted into the built product. */
export const controls: Readonly<Record<InvariantName, Mistake>> = {
  'a confirmed commit stays in the history of its branch': {
    file: 'server/web/plugins/commit-before-response.ts',
    from: 'const pending = committed()',
    to: 'const pending = committed() && undefined',
  },
  'a file of a confirmed commit has its content': {
    file: 'server/hub/repos/repos.ts',
    from: 'copyLfsFiles(deps, source, { id })',
    to: '',
  },
  'a large file that a repo has is whole': {
    file: 'server/store/objects/folder-lfs.ts',
    from: '!use.isUsed(oid) && !this.#received.has(oid)',
    to: '!this.#received.has(oid)',
  },
  'a bucket has the files of its confirmed batches': {
    file: 'server/hub/buckets/batch.ts',
    from: 'changeBucketFiles(deps, { bucket, changes, actorId })',
    to: 'changeBucketFiles(deps, { bucket, changes: changes.slice(1), actorId })',
  },
  'the Xet storage has what it has confirmed under its URL': {
    file: 'server/hub/xet/check-files.ts',
    from: 'if (end > table.count)',
    to: 'if (end >= table.count)',
  },
  'a branch or tag is there until it is deleted': {
    file: 'server/hub/commits/repo-refs.ts',
    from: 'if (newSha === null) refs.delete(ref)',
    to: 'if (newSha === null) void ref',
  },
  'a created repo exists, and a deleted one does not': {
    file: 'server/hub/repos/repos.ts',
    from: 'state.repos.delete(repo.id)',
    to: 'void repo.id',
  },
  'a created webhook exists, and a deleted one does not': {
    file: 'server/hub/webhooks/manage/management.ts',
    from: 'deps.state.webhooks.delete(webhook.id)',
    to: 'void webhook.id',
  },
  'an event is delivered to a webhook once': {
    file: 'server/hub/webhooks/publish/match.ts',
    from: "if (webhook.status === 'disabled')",
    to: "if (webhook.status === 'disabled' || webhook.order === 'ordered')",
  },
  'an ordered webhook sends its deliveries one after the other': {
    file: `${engine}/queues.ts`,
    from: 'return queue.active === 0 && !isBlocked(queue)',
    to: 'return queue.active === 0',
  },
  'nothing is sent to a disabled or deleted webhook': {
    file: `${engine}/attempt-outcome.ts`,
    from: "if (webhook.status === 'disabled') return 'the webhook is disabled'",
    to: '',
  },
  'a delivery that a receiver has confirmed is not sent again': {
    file: `${engine}/attempt-outcome.ts`,
    from: "...(isOpen && { happening: { kind: 'succeeded', attempt } })",
    to: "...(isOpen && { happening: { kind: 'rescheduled', nextRetryAt: deps.clock.now() + 30_000 } })",
  },
  'each delivery comes to its end': {
    file: `${engine}/engine-recovery.ts`,
    from: "else if (delivery.state === 'waiting') dispatcher.awaitRetry(delivery)",
    to: "else if (delivery.state === 'waiting') return",
  },
  'each sum is that of the stored deliveries': {
    file: 'server/contract/delivery-result.ts',
    from: 'counts[result] += 1',
    to: "counts[result === 'cancelled' ? 'failed' : result] += 1",
  },
  'the attempts of a delivery are numbered without a gap': {
    file: 'server/hub/webhooks/delivery/attempt-log.ts',
    from: '        number,\n        source,',
    to: '        number: number - 1,\n        source,',
  },
  'a delivery is in one state that its attempts explain': {
    file: 'server/hub/webhooks/delivery/delivery-life.ts',
    from: '({ cancelledBecause: because, finishedAt: at })',
    to: '({ cancelledBecause: because, ...(at < 0 && { finishedAt: at }) })',
  },
  'a code gives tokens once': {
    file: `${oauth}/grants/authorization-code.ts`,
    from: 'if (code.usedAt !== undefined) {',
    to: 'if (code.usedAt !== undefined && deps.clock.now() - code.usedAt > 5000) {',
  },
  'a refresh token gives tokens once': {
    file: `${oauth}/grants/refresh-token.ts`,
    from: 'if (token.usedAt !== undefined) {',
    to: 'if (token.usedAt !== undefined && deps.clock.now() - token.usedAt > 5000) {',
  },
  'a device code gives tokens once': {
    file: `${oauth}/grants/device-code.ts`,
    from: "deps.state.deviceAuthorizations.put({ ...authorization, status: 'consumed' })",
    to: '',
  },
  'who denies gives nothing': {
    file: `${oauth}/authorize-without-browser.ts`,
    from: "decision === 'deny'",
    to: "decision === ('refuse' as string)",
  },
  'a job writes to the repo that trusts it': {
    file: 'server/hub/access/access.ts',
    from: 'principal.token.repoId === repo.id',
    to: 'principal.token.repoId !== undefined',
  },
  'a family has one usable refresh token': {
    file: `${oauth}/grants/refresh-token.ts`,
    from: 'deps.state.refreshTokens.put({ ...token, usedAt: deps.clock.now() })',
    to: '',
  },
  'a token is valid as long as its grant': {
    file: `${oauth}/grants/authorization-code.ts`,
    from: "revokeFamily(deps, code.familyId, 'its authorization code was used a second time')",
    to: '',
  },
  'a token of a user is exchanged for members only': {
    file: `${oauth}/grants/token-exchange.ts`,
    from: 'if (!isMember || !user.emailVerified) {',
    to: 'if (user === undefined || !user.emailVerified) {',
  },
  'no token outlives its user or app': {
    file: 'server/hub/accounts/users.ts',
    from: "revokeAccessToken(deps, token, 'its user was deleted')",
    to: '',
  },
  'a private repo is visible to members only': {
    file: 'server/hub/access/access.ts',
    from: "if (!includesRight(right, 'read'))\n",
    to: "if (!includesRight(right, 'read') && principal.user.username !== 'mallory')\n",
  },
  'a repo is written to by its writers only': {
    file: 'server/hub/access/access.ts',
    from: 'if (!includesRight(right, needed)) {',
    to: "if (!includesRight(right, needed) && needed !== 'write') {",
  },
  'each ref of a repo points to a whole history': {
    file: 'server/hub/commits/repo-refs.ts',
    from: 'else refs.set(ref, newSha)',
    to: "else refs.set(ref, ref.startsWith('refs/pr/') ? newSha.replace(/^../, '00') : newSha)",
  },
  'a clone has all confirmed commits': {
    file: 'server/hub/git/packed-refs.ts',
    from: 'this.#written.get(folder) !== refs ||',
    to: '',
  },
  'a confirmed comment stays in its place': {
    file: 'server/hub/discussions/discussions.ts',
    from: 'const after = { ...before, hidden: true }',
    to: 'const after = { ...before, hidden: true, content: "" }',
  },
  'a discussion has the status that was confirmed': {
    file: 'server/hub/discussions/discussions.ts',
    from: 'put({ ...discussion, status })',
    to: "put({ ...discussion, status: 'open' })",
  },
  'the discussions of a repo are numbered without a gap': {
    file: 'server/hub/discussions/discussions.ts',
    from: 'const num = current.lastDiscussionNumber + 1',
    to: "const num = current.lastDiscussionNumber + (kind.status === 'draft' ? 2 : 1)",
  },
  'nothing outlives what it belongs to': {
    file: 'server/hub/repos/repos.ts',
    from: 'forgetLfsFiles(deps, repo)',
    to: '',
  },
  'what is exported can be loaded again': {
    file: 'server/fixtures/export-fixtures.ts',
    from: 'deps.mapping.encodeAll(organizations, state.organizations.values())',
    to: '[]',
  },
  'an organization exists under its name until it is deleted': {
    file: 'server/hub/accounts/organizations.ts',
    from: 'const name = request.name ?? organization.name',
    to: 'const { name } = organization',
  },
  'a right decides each request': {
    file: 'server/hub/access/rights.ts',
    from: "if (resourceGroupId === undefined || role === 'admin') return",
    to: 'if (role !== undefined) return',
  },
  'git finds no fault in a repo': {
    file: 'server/store/objects/commit-codec.ts',
    from: '> ${seconds} ',
    to: '> 0${seconds} ',
  },
  'a snapshot is there until it is deleted': {
    file: 'server/fixtures/snapshots/snapshot-shelf.ts',
    from: 'if (existsSync(file)) return false',
    to: '',
  },
  'a confirmed job is there, and goes forward only': {
    file: `${jobs}/jobs.ts`,
    from: 'if (job !== undefined && !isOver(job)) update(',
    to: 'if (job !== undefined) update(',
  },
  'a job runs as long as its process': {
    file: 'server/lab/sandbox-services.ts',
    from: 'onStart: (jobs) => jobs.takeUp(),',
    to: '',
  },
  'a token of a job ends with it': {
    file: `${jobs}/job-tokens.ts`,
    from: 'for (const { id } of copies.values()) state.tokens.delete(id)',
    to: '',
  },
  'an attempt of a job webhook starts one job': {
    file: 'server/hub/webhooks/delivery/send-attempt.ts',
    from: 'what: { jobId }, begin',
    to: 'what: { ...(delivery.attempts === 1 && { jobId }) }, begin',
  },
  'a schedule starts one job at each due time': {
    file: `${jobs}/scheduled-jobs.ts`,
    from: 'if (pausedBecause() === undefined && mayRun(next))',
    to: 'if (now - scheduled.nextRunAt < 60_000 && pausedBecause() === undefined && mayRun(next))',
  },
  'only the newest secret of an app is accepted': {
    file: `${oauth}/client-authentication.ts`,
    from: 'const matches = equalSecrets(expected, given)',
    to: 'const matches = equalSecrets(expected.slice(0, 15), given.slice(0, 15))',
  },
  'a delivery carries the present secret of its webhook': {
    file: 'server/hub/webhooks/manage/by-hand.ts',
    from: '{ name, secret, ca, actsAs: actsAs',
    to: '{ name, secret: held === undefined ? undefined : secret, ca, actsAs: actsAs',
  },
  'a user token is valid until it expires or is revoked': {
    file: 'server/hub/access/credentials.ts',
    from: 'if (expiresAt !== undefined && expiresAt <= clock.now()) {',
    to: 'if (expiresAt !== undefined && expiresAt - 600_000 <= clock.now()) {',
  },
  'a suspended webhook sends nothing, and says why': {
    file: 'server/hub/webhooks/delivery/suspension.ts',
    from: 'suspendedBecause: `${because}; last error: ${error.message}`,',
    to: '',
  },
  'a damaged file is not served': {
    file: 'server/store/snapshot-format.ts',
    from: 'found !== undefined && found !== formatChecksum(sum)',
    to: "found === ''",
  },
  'a stopped process holds nothing': {
    file: 'server/lab/sandbox-services.ts',
    from: 'onStop: (clock) => clock.close(),',
    to: 'onStop: () => undefined,',
  },
  'no request fails inside of the server': {
    file: `${oauth}/grants/token-exchange.ts`,
    from: 'const isMember = user !== undefined &&',
    to: 'const isMember = user!.id !== undefined &&',
  },
  'a refusal of the disk is named': {
    file: 'server/web/plugins/refusals.ts',
    from: 'error instanceof StateError || (error',
    to: '(error',
  },
  'each request has a response': {
    file: 'server/web/plugins/commit-before-response.ts',
    from: '() => done(null, payload),',
    to: '() => void (reply.statusCode < 400 && done(null, payload)),',
  },
  'the sandbox starts on what a crash leaves': {
    file: 'server/store/processes.ts',
    from: 'if (!isRunning(pid)) return false',
    to: '',
  },
  'the process neither warns nor fails': {
    file: `${engine}/engine-recovery.ts`,
    from: 'if (delivery.derivedFrom !== undefined) {',
    to: "if (delivery.state === 'sending') throw new Error('planted')\n    if (delivery.derivedFrom !== undefined) {",
  },
}

const { hrtime } = process
const mostSeconds = 60

/**
 * Plays each mistake until its invariant finds it, for a minute at most.
 * @param folder for the builds, below the root of the project
 * @returns mistakes that were not found
 */
export async function playControls(folder: string, say: (text: string) => void): Promise<number> {
  const entries = new Map<InvariantName, string>()
  for (const [index, name] of invariantNames.entries()) {
    entries.set(name, await buildProduct(`${folder}/${index}`, controls[name]))
  }
  const load = installMachine()
  let missed = 0
  for (const [name, entry] of entries) {
    const machine = await load(entry)
    const started = hrtime.bigint()
    const seconds = () => Number(hrtime.bigint() - started) / 1e9
    let found: string | undefined
    for (let seed = 1; found === undefined && seconds() < mostSeconds; seed++) {
      const { violation, steps } = await play(machine, writeScript(seed, 300))
      if (violation?.invariant === name) found = `seed ${seed}, ${steps} steps`
    }
    if (found === undefined) missed += 1
    say(`${name}: ${found ?? 'not found'}, ${seconds().toFixed(1)} s`)
  }
  return missed
}
