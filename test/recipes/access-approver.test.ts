import { expect, test } from 'vitest'
import { pythonPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'access-approver',
    needs: [pythonPackages],
    flags: ['--keep-token'],
    sandbox: {
      fixtures: {
        users: [
          { username: 'alice', tokens: [{ token: 'hf_sandbox_alice' }] },
          { username: 'bob', email: 'bob@acme.example', tokens: [{ token: 'hf_sandbox_bob' }] },
          { username: 'carol', tokens: [{ token: 'hf_sandbox_carol' }] },
        ],
        repos: [{ type: 'model', name: 'alice/secret-sauce', gated: 'manual' }],
      },
    },
  },
  (stage) => {
    const ask = (user: string) =>
      fetch(`${stage.sandbox.url}/alice/secret-sauce/ask-access`, {
        method: 'POST',
        headers: {
          authorization: `Bearer hf_sandbox_${user}`,
          'content-type': 'application/json',
        },
        body: '{}',
        redirect: 'manual',
      })
    const download = async (user: string) => {
      const url = `${stage.sandbox.url}/alice/secret-sauce/resolve/main/.gitattributes`
      return (await fetch(url, { headers: { authorization: `Bearer hf_sandbox_${user}` } })).status
    }

    test('accepts one domain, and rejects the others', async () => {
      for (const user of ['bob', 'carol']) expect((await ask(user)).status).toBe(303)
      expect([await download('bob'), await download('carol')]).toEqual([403, 403])
      const said = await stage.run(['python', 'approve.py', 'alice/secret-sauce', 'acme.example'], {
        HF_TOKEN: 'hf_sandbox_alice',
      })
      expect(said).toContain('accepted bob')
      expect(said).toContain('rejected carol')
      expect([await download('bob'), await download('carol')]).toEqual([200, 403])
    })
  },
)
