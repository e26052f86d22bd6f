import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cloneRepo, gitIn, refusalOf } from './git-client.ts'
import type { Losses } from './kill-while-writing.ts'
import type { KilledSandbox } from './killed-sandbox.ts'
import { untilWorked } from './until-worked.ts'

const repo = '/datasets/acme/corpus'
const filesOfEach = 30

/**
 * Kills a sandbox at random moments while commits are pushed to it. After each restart main has to be where it was last
 * pushed to, or where the push that was cut off wanted it, and all that it leads to has to be there.
 * @param data where the sandbox keeps its state
 */
export async function killWhilePushing(
  sandbox: KilledSandbox,
  data: string,
  kills: number,
): Promise<Losses> {
  const lost = new Set<string>()
  await sandbox.start()
  const { access_token: token } = await sandbox.call<{ access_token: string }>('POST', 'tokens', {
    user: 'alice',
    role: 'write',
  })
  const remote = () => `${sandbox.url.replace('//', `//alice:${token}@`)}${repo}`
  // Of a server that was broken on purpose, git finds what it began with after a while.
  await sleep(400)
  const { git, folder } = await cloneRepo(remote())
  let pushed = await git('rev-parse', 'HEAD')
  let acknowledged = 0
  let isAlive = true

  for (let kill = 0; kill < kills && lost.size === 0; kill++) {
    isAlive = true
    const pushing = pushUntilRefused()
    const work = { count: () => acknowledged, least: 1, workers: [pushing] }
    await untilWorked(150 + Math.random() * 300, work)
    isAlive = false
    await sandbox.kill()
    const tried = await pushing
    await sandbox.start()
    const head = await headOf(remote())
    // Whoever was cut off does not know whether it was done.
    if (![pushed, tried].includes(head)) lost.add(`push of ${pushed}: main is at ${head}`)
    await findDamage(head)
    if (lost.size > 0) break
    pushed = head
    await git('reset', '-q', '--hard', head)
  }
  await sandbox.kill()
  return { acknowledged, lost: [...lost] }

  /** @returns what was pushed last, and not answered for */
  async function pushUntilRefused(): Promise<string> {
    for (;;) {
      for (let file = 0; file < filesOfEach; file++) {
        writeFileSync(join(folder, `file-${file}`), `${file} after ${pushed}`)
      }
      await git('add', '-A')
      await git('commit', '-qm', 'More')
      const head = await git('rev-parse', 'HEAD')
      const said = await refusalOf(git('push', '-q', remote(), 'main'))
      if (said !== undefined) {
        if (isAlive) lost.add(`push of ${head}: ${said}`)
        return head
      }
      pushed = head
      acknowledged += 1
    }
  }

  async function headOf(address: string): Promise<string> {
    const [head = ''] = (await git('ls-remote', address, 'refs/heads/main')).split('\t')
    return head
  }

  /** Looks at the repos that git was asked about, of which one has been pushed to. */
  async function findDamage(head: string): Promise<void> {
    const repos = join(data, 'repos')
    const asked = readdirSync(repos).filter((each) => existsSync(join(repos, each, 'packed-refs')))
    const heads = await Promise.all(
      asked.map(async (name) => {
        const bare = gitIn(join(repos, name))
        const said = await refusalOf(bare('fsck', '--full', '--strict', '--no-dangling'))
        if (said !== undefined) lost.add(`objects of ${name}: ${said}`)
        return bare('rev-parse', 'refs/heads/main')
      }),
    )
    if (!heads.includes(head)) lost.add(`ref file: ${heads.join(', ')} and not ${head}`)
  }
}
