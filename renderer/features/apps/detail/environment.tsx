import { useState } from 'react'
import type { AppItem } from '../../../../server/contract/control-apps.ts'
import { dotenvLine } from '../../../../server/contract/dotenv.ts'
import { Button } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Panel } from '../../../ui/page.tsx'
import { words } from '../words.ts'

const mask = '•'.repeat(12)

interface EnvironmentProps {
  app: AppItem
  environment: Readonly<Record<string, string>>
}

/** Environment variables of a snippet as `.env`; the secret is masked until revealed, and copied as it is. */
export function Environment({ app, environment }: EnvironmentProps) {
  const [isRevealed, setRevealed] = useState(false)
  const text = (secret: string | undefined) =>
    Object.entries(environment)
      .map(([name, value]) =>
        name === 'OAUTH_CLIENT_SECRET' && secret !== undefined
          ? `${name}=${secret}`
          : dotenvLine(name, value),
      )
      .join('\n')
  return (
    <Panel
      title={words.environment}
      lead={
        app.public
          ? 'The values of this app. It is public: no secret, PKCE instead.'
          : 'The values of this app. The code reads them.'
      }
      actions={
        <>
          {!app.public && (
            <Button
              size="small"
              icon="eye"
              aria-pressed={isRevealed}
              onClick={() => setRevealed(!isRevealed)}
            >
              {isRevealed ? 'Mask secret' : 'Reveal secret'}
            </Button>
          )}
          <CopyButton text={text(undefined)} what={words.environment} look="primary" />
        </>
      }
    >
      <Code label={words.environment} text={text(isRevealed ? undefined : mask)} wrap={false} />
    </Panel>
  )
}
