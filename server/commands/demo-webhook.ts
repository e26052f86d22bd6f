import { CommandError } from './command-error.ts'
import type { Connection } from './connect.ts'
import { type Listener, withListener } from './demo-listener.ts'
import type { DemoReport } from './demo-report.ts'
import { firstUser } from './token.ts'

/** Base64 as well, so that every delivery profile takes it. */
const demoSecret = 'sandboxDemoWebhookSecret'

/** Causes an event and receives it: a webhook that lives as long as the demo. */
export async function playWebhook(
  { call }: Pick<Connection, 'call'>,
  report: DemoReport,
  { user, onEnd }: { user: string | undefined; onEnd: (undo: () => Promise<unknown>) => void },
): Promise<void> {
  await withListener('/webhook', (receiver) => play(receiver))

  async function play(receiver: Listener): Promise<void> {
    const { items: repos } = await call('GET repos', { query: { limit: 1 } })
    const [first] = repos
    if (first === undefined) throw new CommandError('The sandbox has no repo; make one first.')
    const owner = user ?? (await firstUser(call))
    const { type, name } = first
    report.begins(`A webhook of ${owner} that watches ${name}`)
    report.cue({
      name: 'webhook',
      explanation: `A receiver listens at ${receiver.url}; a webhook tells it of all that happens to ${name}.`,
    })
    const { id } = await call('POST webhooks', {
      body: {
        user: owner,
        name: 'hub-sandbox demo',
        url: receiver.url,
        watched: [{ type, name }],
        secret: demoSecret,
      },
    })
    const remove = () => call('DELETE webhooks/:id', { params: { id } })
    onEnd(remove)
    try {
      report.cue({ name: 'event', explanation: 'Somebody pushes to the repo.' })
      await call('POST events', { body: { event: 'repo.content', repo: `${type}s/${name}` } })
      report.cue({ name: 'delivery', explanation: 'The receiver gets it, with the secret.' })
      report.text(`\n${await receiver.next}\n`)
      report.ends({ outcome: 'completed', explanation: 'The receiver has the event.' })
    } finally {
      await remove()
    }
  }
}
