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
import { words } from '../words.ts'

export function AppDialog({ app, onClose }: { app: AppItem; onClose: () => void }) {
  const [opened] = useState(app)
  const update = useUpdateApp(app.clientId)
  const { form, patch, issue } = useForm(() => appFormOf(opened), update.error)
  return (
    <FormDialog
      title={app.name}
      wide
      action={words.save}
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
          words.clientId,
          <CopyableId key="c" text={app.clientId} what="Client ID" head={18} tail={6} />,
        ],
        [
          words.secret,
          app.clientSecret ? (
            <CopyableId
              key="s"
              text={app.clientSecret}
              what="Secret"
              shown={shorten(app.clientSecret, 10, 4)}
            />
          ) : (
            <Badge key="p">{words.publicPkce}</Badge>
          ),
        ],
        [words.owner, app.owner],
        [words.space, app.space],
        [words.onlyMembersOf, membersOf(app)],
        [words.activeTokens, app.activeTokens],
        [words.created, <Ago key="r" time={app.createdAt} />],
      ]}
    />
  )
}

/** The README of a Space may name only organizations that do not exist. */
function membersOf({ authorizedOrganizations: names }: AppItem): string | undefined {
  return names?.length === 0 ? words.unknownOrganizations : names?.join(', ')
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
        {app.public ? words.addSecret : words.newSecret}
      </Button>
      {!app.public && (
        <Button size="small" icon="cross" onClick={() => publishing.ask(clientId)}>
          {words.removeSecret}
        </Button>
      )}
      <Button size="small" look="danger" icon="trash" onClick={() => deleting.ask(clientId)}>
        {words.delete}
      </Button>
      <Question of={deleting} title={() => words.deleteTitle(name)} action={words.deleteApp}>
        {() =>
          app.activeTokens === 0
            ? words.deleteConsequence
            : words.tokensStop(plural(app.activeTokens, 'active token'))
        }
      </Question>
      <Question of={rotating} title={() => words.newSecretTitle(name)} action={words.replaceSecret}>
        {() => words.newSecretConsequence}
      </Question>
      <Question
        of={publishing}
        title={() => words.removeSecretTitle(name)}
        action={words.removeSecretAction}
      >
        {() => words.removeSecretConsequence}
      </Question>
    </div>
  )
}
