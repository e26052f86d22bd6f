import { CommandError } from './command-error.ts'
import type { Connection } from './connect.ts'
import { type Listener, withListener } from './demo-listener.ts'
import type { DemoReport } from './demo-report.ts'
import { ControlError } from '../web/control-error.ts'
import { firstUser } from './token-command.ts'

/** Valid Base64, so every delivery profile accepts it. */
const demoSecret = 'sandboxDemoWebhookSecret'

/** Triggers an event and receives it through a temporary webhook. */
export async function playWebhook(
  { call }: Pick<Connection, 'call'>,
  report: DemoReport,
  { user, onEnd }: { user: string | undefined; onEnd: (undo: () => Promise<unknown>) => void },
): Promise<void> {
  await withListener('/webhook', (receiver) => play(receiver))

  async function play(receiver: Listener): Promise<void> {
    const { items: repos } = await call('GET repos', { query: { limit: 1 } })
    const [first] = repos
    if (first === undefined) throw new CommandError('The sandbox has no repos. Create one first.')
    const owner = user ?? (await firstUser(call))
    const { type, name } = first
    report.begins(`A webhook of ${owner} that watches ${name}`)
    report.cue({
      name: 'webhook',
      explanation: `A receiver listens at ${receiver.url}; a webhook sends it every event of ${name}.`,
    })
    const { id } = await call('POST webhooks', {
      body: {
        owner,
        name: 'hub-sandbox demo',
        url: receiver.url,
        watched: [{ type, name }],
        secret: demoSecret,
        // The sandbox deletes it after 10 s if this program was killed.
        temporary: true,
      },
    })
    const remove = () =>
      call('DELETE webhooks/:id', { params: { id } }).catch((error: unknown) => {
        if (!(error instanceof ControlError && error.status === 404)) throw error
      })
    onEnd(remove)
    try {
      report.cue({ name: 'event', explanation: 'A commit is pushed to the repo.' })
      await call('POST events', { body: { event: 'repo.content', repo: `${type}s/${name}` } })
      report.cue({ name: 'delivery', explanation: 'The receiver gets the event, with the secret.' })
      report.text(`\n${await receiver.next}\n`)
      report.ends({ outcome: 'completed', explanation: 'The receiver got the event.' })
    } finally {
      await remove()
    }
  }
}
