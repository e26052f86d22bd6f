import type { TokenState } from '../contract/words/oauth-words.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { listOfApp } from './app-named.ts'
import { connect, nextCommand } from './connect.ts'
import { nothingOf } from './known.ts'
import { printList } from './output.ts'
import { type ListOptions, readLimit } from './read-options.ts'

export interface TokensOptions extends ListOptions {
  user?: string
  client?: string
  state?: string
}

/** Prints the access tokens, newest last and so right above the prompt. */
export async function listTokens(options: TokensOptions): Promise<void> {
  const { call } = await connect(options)
  const { user, client, state } = options
  const items = await listOfApp(call, client, async (clientId) => {
    const query = {
      limit: readLimit(options),
      // The sandbox reports the valid states.
      ...omitUndefined({ user, clientId, state: state as TokenState | undefined }),
    }
    return (await call('GET tokens', { query })).items
  })
  const ordered = options.json === true ? items : items.toReversed()
  printList(
    options,
    ordered,
    ({ id, preview, user: owner, state: now, app, name, role, scopes }) => [
      id,
      preview,
      owner.username,
      now,
      app?.name ?? name ?? '',
      role ?? scopes.join(' '),
    ],
    `${nothingOf('token', [user, client, state])} Create one: ${nextCommand(['tokens', 'mint'], options)}`,
  )
}
