import { useState } from 'react'
import {
  clientSettings,
  settingsClientNames,
  settingsClients,
  type SettingsClient,
} from '../../../server/contract/client-settings.ts'
import type { Overview } from '../../../server/contract/control-health.ts'
import { Code } from '../../ui/code.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Panel } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { shellWord } from '../../lib/shell-quote.ts'
import { type EnvironmentForm, environmentText } from './model/environment-text.ts'
import { words } from './words.ts'

type Form = EnvironmentForm | SettingsClient

const forms: readonly { value: Form; label: string }[] = [
  { value: 'shell', label: 'Shell' },
  { value: 'dotenv', label: '.env' },
  { value: 'json', label: 'JSON' },
  ...settingsClients.map((value) => ({ value, label: settingsClientNames[value] })),
]

/** Settings for a client, as environment variables or as code of a library. */
export function ClientSettings({
  environment,
  commandLine,
}: Pick<Overview, 'environment' | 'commandLine'>) {
  const [form, setForm] = useState<Form>('shell')
  const text = textOf(form, environment, commandLine)
  return (
    <div id="client-settings" className="min-w-0 scroll-mt-4">
      <Panel
        title={words.connectTitle}
        lead="As environment variables or code."
        actions={
          <CopyButton text={text} what="settings" look="primary" size="small">
            Copy
          </CopyButton>
        }
      >
        <div className="flex flex-col gap-2">
          <Segments label="Format" value={form} onChange={setForm} options={forms} />
          <Code label="Client settings" text={text} json={form === 'json'} wrap={false} />
        </div>
      </Panel>
    </div>
  )
}

function textOf(
  form: Form,
  environment: Overview['environment'],
  { command, options }: Overview['commandLine'],
): string {
  if (form === 'shell' || form === 'dotenv' || form === 'json') {
    return environmentText(environment, form)
  }
  const tokenCommand = [...command, 'token', ...options].map(shellWord).join(' ')
  return clientSettings(form, environment, tokenCommand)
}
