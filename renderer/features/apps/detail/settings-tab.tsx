import { useState } from 'react'
import { Link } from 'wouter'
import type { AppItem } from '../../../../server/contract/control-apps.ts'
import type { RefusedSetting } from '../../../../server/contract/control-fixes.ts'
import { useRead } from '../../../api/query.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { useParameter } from '../../../lib/parameters.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Moment } from '../../../ui/time.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { plural, shorten } from '../../../lib/format.ts'
import { AppFields, appFieldPaths, appFormOf, appChangeOf, type AppForm } from './app-fields.tsx'
import { useDeleteApp, useDeleteSecret, useRotateSecret, useUpdateApp } from '../model/requests.ts'
import { words } from '../words.ts'

interface SettingsTabProps {
  app: AppItem
  onDeleted: () => void
}

/**
 * Settings of an app. With the id of a refused sign-in in the URL (`?fix=`), the setting that it does not match is
 * marked, with the value with which it succeeds.
 */
export function SettingsTab({ app, onDeleted }: SettingsTabProps) {
  const [flowId, setFlowId] = useParameter('fix')
  const [saves, setSaves] = useState(0)
  const onSaved = () => {
    setFlowId('')
    setSaves(saves + 1)
  }
  const form = { app, onDeleted, onSaved }
  if (flowId === '') return <SettingsForm key={saves} {...form} />
  return <SettingsFromRefusal key={flowId} flowId={flowId} {...form} />
}

/** Setting that a refused sign-in does not match. */
interface Refused extends RefusedSetting {
  /** Effect of its new value, in a sentence. */
  change?: string | undefined
}

interface SettingsFormProps extends SettingsTabProps {
  onSaved: () => void
  refused?: Refused | undefined
}

function SettingsFromRefusal({ flowId, ...form }: SettingsFormProps & { flowId: string }) {
  const fixes = useRead('GET flows/:id/fixes', { params: { id: flowId } })
  return (
    <QueryView query={fixes} what="the refused sign-in">
      {({ items, setting }) => {
        const refused =
          setting?.clientId === form.app.clientId
            ? {
                ...setting,
                change: items.find(({ kind }) => kind === 'redirect-uri' || kind === 'scope')
                  ?.change,
              }
            : undefined
        return (
          <>
            {refused && (
              <p className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg bg-bad-soft px-3 py-2 text-sm">
                <Icon name="info" className="size-4 text-bad" />
                A sign-in was refused because of the marked setting.
                <Link
                  href={`/sign-ins/${encodeURIComponent(flowId)}`}
                  className="underline underline-offset-2"
                >
                  Show the sign-in
                </Link>
              </p>
            )}
            <SettingsForm {...form} refused={refused} />
          </>
        )
      }}
    </QueryView>
  )
}

function SettingsForm({ app, onDeleted, onSaved, refused }: SettingsFormProps) {
  const [opened] = useState(app)
  const [marked] = useState(refused)
  const update = useUpdateApp(app.clientId)
  const { form, patch, issue } = useForm(() => fixedForm(appFormOf(opened), marked), update.error)
  return (
    <div className="grid items-start gap-3 pt-4 md:grid-cols-[1fr_1.4fr]">
      <Panel>
        <div className="flex flex-col gap-4">
          <AppFacts app={app} isSecretWrong={marked?.field === 'clientSecret'} />
          <AppActions app={app} onDeleted={onDeleted} />
        </div>
      </Panel>
      <Panel>
        <form
          className="flex flex-col gap-3.5"
          onSubmit={(event) => {
            event.preventDefault()
            update.mutate(appChangeOf(form, opened), { onSuccess: onSaved })
          }}
        >
          <AppFields
            form={form}
            issue={(path) =>
              issue(path) ??
              (path === marked?.field && marked.change !== undefined
                ? `Refused. After you save: ${marked.change}`
                : undefined)
            }
            onChange={patch}
          />
          <FormError error={update.error} beside={appFieldPaths} />
          <div className="flex justify-end">
            <Button look="primary" type="submit" busy={update.isPending}>
              Save
            </Button>
          </div>
        </form>
      </Panel>
    </div>
  )
}

/** Types in the value with which a refused sign-in succeeds. */
function fixedForm(form: AppForm, refused: Refused | undefined): AppForm {
  if (refused?.values === undefined) return form
  return refused.field === 'scopes'
    ? { ...form, scopes: refused.values.join(' ') }
    : { ...form, redirectUris: refused.values.join('\n') }
}

function AppFacts({ app, isSecretWrong }: { app: AppItem; isSecretWrong: boolean }) {
  return (
    <Facts
      items={[
        [
          words.clientId,
          <CopyableId key="c" text={app.clientId} what="Client ID" head={18} tail={6} />,
        ],
        [
          'Secret',
          <div
            key="s"
            className={classNames(isSecretWrong && 'rounded-lg border border-bad px-2 py-1.5')}
          >
            {app.clientSecret ? (
              <CopyableId
                text={app.clientSecret}
                what="Secret"
                shown={shorten(app.clientSecret, 10, 4)}
              />
            ) : (
              <Badge>{words.publicPkce}</Badge>
            )}
            {isSecretWrong && (
              <p role="alert" className="text-xs text-bad">
                {app.public
                  ? 'Refused: the app sent a secret, but it has none. Send none, or add a secret here.'
                  : 'Refused: the app sent no secret or another one. Copy this secret into its settings.'}
              </p>
            )}
          </div>,
        ],
        ['Owner', app.owner],
        [words.space, app.space],
        ['Only members of', membersOf(app)],
        ['Active tokens', app.activeTokens],
        ['Created', <Moment key="r" time={app.createdAt} />],
      ]}
    />
  )
}

/** The README of a Space may name only organizations that do not exist. */
function membersOf({ authorizedOrganizations: names }: AppItem): string | undefined {
  return names?.length === 0 ? 'unknown organizations: nobody' : names?.join(', ')
}

/** Actions that take effect at once rather than on save; those that break clients ask first. */
function AppActions({ app, onDeleted }: { app: AppItem; onDeleted: () => void }) {
  const { clientId, name } = app
  const rotate = useRotateSecret()
  const rotating = useQuestion(rotate)
  const publishing = useQuestion(useDeleteSecret())
  const deleting = useQuestion(useDeleteApp(), onDeleted)
  return (
    <div className="flex flex-wrap gap-1.5">
      <Button
        size="small"
        icon="key"
        busy={rotate.isPending}
        onClick={() => (app.public ? rotate.mutate(clientId) : rotating.ask(clientId))}
      >
        {app.public ? 'Add secret' : words.newSecret}
      </Button>
      {!app.public && (
        <Button size="small" icon="cross" onClick={() => publishing.ask(clientId)}>
          {words.removeSecret}
        </Button>
      )}
      <Button size="small" look="danger" icon="trash" onClick={() => deleting.ask(clientId)}>
        Delete
      </Button>
      <Question of={deleting} title={() => `Delete ${name}?`} action="Delete app">
        {() =>
          app.activeTokens === 0
            ? words.deleteConsequence
            : `Revokes ${plural(app.activeTokens, 'active token')}. Its sign-ins are refused from now on.`
        }
      </Question>
      <Question
        of={rotating}
        title={() => `Replace the secret of ${name}?`}
        action={words.replaceSecret}
      >
        {() => words.newSecretConsequence}
      </Question>
      <Question
        of={publishing}
        title={() => `Remove the secret of ${name}?`}
        action={words.removeSecretAction}
      >
        {() => words.removeSecretConsequence}
      </Question>
    </div>
  )
}
