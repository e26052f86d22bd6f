import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { frameworks } from './words/sandbox-words.ts'
import { text } from './plain-fields.ts'

// Snippets: small programs that sign in as an app of the sandbox.

export const Snippet = Type.Object(
  {
    framework: OneOf(frameworks, 'Framework or tool'),
    name: text('Display name'),
    environment: Type.Record(Type.String(), Type.String(), {
      description: 'Environment variables, with the client id and secret of the app',
    }),
    install: Type.Optional(text('Shell command that installs its packages')),
    files: Type.Array(Type.Object({ name: Type.String(), text: Type.String() }), {
      description: 'Files of the program, in reading order',
    }),
    run: text('Shell command that runs the program, with the environment in `.env`'),
    url: Type.Optional(text('URL of the program, if it serves pages')),
    redirectUri: Type.Optional(text('Redirect URI, if it has one')),
    refusedBecause: Type.Optional(text('Reason why the app does not accept the redirect URI')),
    unsuited: Type.Optional(text('Reason why this app cannot sign in with the framework')),
  },
  { description: 'A program that signs in as an app' },
)
export type Snippet = Static<typeof Snippet>

export const SnippetList = Type.Object({ items: Type.Array(Snippet) })
export type SnippetList = Static<typeof SnippetList>
