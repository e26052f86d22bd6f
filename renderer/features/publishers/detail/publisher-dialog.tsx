import type { PublisherItem } from '../../../../server/contract/control-publishers.ts'
import { ciProviderNames, publisherProviders } from '../../../../server/contract/words/ci-words.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { claimLines, readClaimLines } from '../model/claim-lines.ts'
import { useCreatePublisher, useDeletePublisher, useUpdatePublisher } from '../model/requests.ts'
import { words } from '../words.ts'

interface PublisherDialogProps {
  /** Publisher to edit; absent to add one. */
  publisher: PublisherItem | undefined
  onClose: () => void
}

const providers = publisherProviders.map((value) => ({ value, label: ciProviderNames[value] }))

function formOf(publisher: PublisherItem | undefined) {
  return {
    resource: publisher?.resource ?? '',
    name: publisher?.name ?? '',
    provider: publisher?.provider ?? 'github',
    issuer: publisher?.issuer ?? '',
    claims: publisher === undefined ? 'repository=' : claimLines(publisher.claims),
  }
}

export function PublisherDialog({ publisher, onClose }: PublisherDialogProps) {
  const create = useCreatePublisher()
  const update = useUpdatePublisher()
  const { error, isPending } = publisher ? update : create
  const { form, patch, issue, field } = useForm(() => formOf(publisher), error)
  const { claims, wrong } = readClaimLines(form.claims)

  function submit(): void {
    const { provider, name, issuer, resource } = form
    const done = { onSuccess: onClose }
    const named = name === '' ? {} : { name }
    if (publisher) {
      const changed = { ...named, provider, claims, issuer: issuer || null }
      update.mutate({ id: publisher.id, ...changed }, done)
    } else {
      const given = issuer === '' ? {} : { issuer }
      create.mutate({ resource, provider, claims, ...named, ...given }, done)
    }
  }

  return (
    <FormDialog
      title={publisher ? `Trusted publisher ${publisher.name}` : 'Add trusted publisher'}
      action={publisher ? 'Save' : words.add}
      busy={isPending}
      disabled={wrong !== undefined}
      onSubmit={submit}
      onClose={onClose}
      further={publisher && <RemovePublisher publisher={publisher} onRemoved={onClose} />}
    >
      <TextField
        label={words.resource}
        hint={words.resourceHint}
        required
        disabled={publisher !== undefined}
        {...field('resource')}
      />
      <SelectField
        label="Provider"
        value={form.provider}
        onChange={(provider) => patch({ provider })}
        options={providers}
      />
      <TextAreaField
        label={words.claims}
        hint="One name=value in each line; all must be equal"
        error={wrong === undefined ? issue('claims') : `“${wrong}” is not name=value`}
        required
        rows={4}
        value={form.claims}
        onChange={(text) => patch({ claims: text })}
      />
      <TextField
        label="Issuer"
        hint={
          publisher
            ? `ID tokens of these issuers are accepted: ${publisher.issuers.join(', ')}`
            : 'https URL; leave empty for GitHub or gitlab.com'
        }
        required={form.provider === 'custom'}
        {...field('issuer')}
      />
      <TextField
        label="Name"
        hint="Default: the project in the claims. The user “[OIDC] name” makes the commits."
        {...field('name')}
      />
      <FormError error={error} beside={['resource', 'claims', 'issuer', 'name']} />
    </FormDialog>
  )
}

function RemovePublisher({
  publisher,
  onRemoved,
}: {
  publisher: PublisherItem
  onRemoved: () => void
}) {
  const removing = useQuestion(useDeletePublisher(), onRemoved)
  return (
    <>
      <Button look="danger" icon="trash" onClick={() => removing.ask(publisher)}>
        Remove
      </Button>
      <Question
        of={removing}
        title={() => `Remove publisher ${publisher.name}?`}
        action="Remove publisher"
      >
        {() => 'Its jobs get no new tokens, and their existing tokens are refused.'}
      </Question>
    </>
  )
}
