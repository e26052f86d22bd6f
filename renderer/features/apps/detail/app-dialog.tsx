import { useState } from 'react'
import type { AppItem } from '../../../../server/contract/control-apps.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Ago } from '../../../ui/time.tsx'
import { plural, shorten } from '../../../lib/format.ts'
import { AppFields, appFieldPaths, appFormOf, appChangeOf } from './app-fields.tsx'
import { useDeleteApp, useDeleteSecret, useRotateSecret, useUpdateApp } from '../model/requests.ts'

export function AppDialog({ app, onClose }: { app: AppItem; onClose: () => void }) {
  const [opened] = useState(app)
  const update = useUpdateApp(app.clientId)
  const { form, patch, issue } = useForm(() => appFormOf(opened), update.error)
  return (
    <FormDialog
      title={app.name}
      wide
      action="Save"
      busy={update.isPending}
      onSubmit={() => update.mutate(appChangeOf(form, opened), { onSuccess: onClose })}
      onClose={onClose}
    >
      <div className="grid gap-6 md:grid-cols-[1fr_1.4fr]">
        <div className="flex flex-col gap-4">
          <AppFacts app={app} />
          <AppActions app={app} onDeleted={onClose} />
        </div>
        <div className="flex flex-col gap-3.5">
          <AppFields form={form} issue={issue} onChange={patch} />
          <FormError error={update.error} beside={appFieldPaths} />
        </div>
      </div>
    </FormDialog>
  )
}

function AppFacts({ app }: { app: AppItem }) {
  return (
    <Facts
      items={[
        [
          'Client id',
          <CopyableId key="c" text={app.clientId} what="Client id" head={18} tail={6} />,
        ],
        [
          'Secret',
          app.clientSecret ? (
            <CopyableId
              key="s"
              text={app.clientSecret}
              what="Secret"
              shown={shorten(app.clientSecret, 10, 4)}
            />
          ) : (
            <Badge key="p">public, PKCE instead</Badge>
          ),
        ],
        ['Owner', app.owner],
        ['Space', app.space],
        ['Only members of', membersOf(app)],
        ['Active tokens', app.activeTokens],
        ['Registered', <Ago key="r" time={app.createdAt} />],
      ]}
    />
  )
}

/** A README of a Space may name only organizations that do not exist. */
function membersOf({ authorizedOrganizations: names }: AppItem): string | undefined {
  return names?.length === 0 ? 'organizations that do not exist: nobody' : names?.join(', ')
}

/** What happens at once, and not with the form; each asks first where somebody would be refused by it. */
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
        {app.public ? 'Give it a secret' : 'New secret'}
      </Button>
      {!app.public && (
        <Button size="small" icon="cross" onClick={() => publishing.ask(clientId)}>
          Make it public
        </Button>
      )}
      <Button size="small" look="danger" icon="trash" onClick={() => deleting.ask(clientId)}>
        Delete
      </Button>
      <Question of={deleting} title={() => `Delete ${name}?`} action="Delete it">
        {() =>
          app.activeTokens === 0
            ? 'Its sign-ins are refused from now on, and users who allowed it are asked again if it comes back.'
            : `${plural(app.activeTokens, 'token')} of it stop${app.activeTokens === 1 ? 's' : ''} working at once, and its sign-ins are refused from now on.`
        }
      </Question>
      <Question
        of={rotating}
        title={() => `Give ${name} a new secret?`}
        action="Replace the secret"
      >
        {() =>
          'Whoever uses the present one is refused from now on, until the new one is copied there.'
        }
      </Question>
      <Question of={publishing} title={() => `Make ${name} public?`} action="Remove the secret">
        {() => 'Whoever uses the secret is refused from now on; sign-ins need PKCE.'}
      </Question>
    </div>
  )
}
