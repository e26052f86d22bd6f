import { expect, test } from 'vitest'
import type { Stage } from './recipe.ts'

/** What a recipe must do that publishes to `alice/model` as a CI job. */
export function publishes(stage: Stage): void {
  test('publishes as the job that the repo trusts', async () => {
    expect(await stage.run(['python', 'publish.py'])).toContain('Published to alice/model: ')
    const answer = await fetch(`${stage.sandbox.url}/api/models/alice/model/commits/main`)
    const [newest] = (await answer.json()) as { title: string; authors: { user: string }[] }[]
    expect(newest).toMatchObject({
      title: 'Publish from CI',
      authors: [{ user: '[OIDC] alice/train' }],
    })
  })

  test('fails with the reason once the repo trusts another job', async () => {
    const { items } = await stage.sandbox.control<{ items: { id: string }[] }>(
      'GET',
      'trusted-publishers',
    )
    const claims = { sub: 'another job' }
    await stage.sandbox.control('PATCH', `trusted-publishers/${items[0]?.id}`, { claims })
    const run = stage.run(['python', 'publish.py'], { HF_OIDC_RESOURCE: 'alice/model' })
    await expect(run).rejects.toThrow(/the claim sub differs/)
  })
}
