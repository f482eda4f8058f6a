import { historyDays, type StatusPage, StatusPageWrite } from '@watchpost/contract'
import { useEffect, useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, keep, useQuery } from '../../core/cache.ts'
import { navigate } from '../../core/router.tsx'
import { useMay, useSession } from '../../core/session.tsx'
import { Field, SelectField } from '../../form/field.tsx'
import { Form } from '../../form/form.tsx'
import { asSchema, type Schema } from '../../form/schema.ts'
import { SchemaFields } from '../../form/schema-form.tsx'
import { useForm } from '../../form/use-form.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { Assigned } from './assigned.tsx'
import { Logo } from './logo.tsx'
import { type Draft, Preview } from './preview.tsx'
import { Subscribers } from './subscribers.tsx'

const asSaved: Draft = { body: {}, changed: false }

/** A page as it is set up, beside the page as it would be: every change is there at once. */
export function StatusPageEditor({ id }: { id: string }) {
  const may = useMay()
  const [version, setVersion] = useState(0)
  const [asking, setAsking] = useState(false)
  const [draft, setDraft] = useState<Draft>()
  const known = useQuery(`status-page/${id}/`, async () => (await api.getStatusPage({ params: { id } })).data)
  const page = known.data
  const changed = (next?: StatusPage) => {
    if (next === undefined) invalidate(`status-page/${id}/`)
    else keep(`status-page/${id}/`, next)
    invalidate('status-pages/')
    setVersion(n => n + 1)
  }
  const editable = may('updateStatusPage')
  return (
    <Page
      wide
      title={page?.title ?? 'Status page'}
      back={{ to: '/status-pages', label: 'Status pages' }}
      aside={page && <Badge tone={page.is_public ? 'good' : 'quiet'}>{page.is_public ? 'public' : 'hidden'}</Badge>}
      actions={
        page && (
          <>
            {page.is_public && (
              <a className="button" href={`/status/${page.slug}`} target="_blank" rel="noreferrer">
                <Icon name="external" />
                Open
              </a>
            )}
            {may('deleteStatusPage') && (
              <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
                Delete
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded of={known}>
        {shown => (
          <div className="editor">
            <div className="stack">
              <Assigned page={shown} editable={editable} onChange={() => changed()} />
              {editable && <Settings page={shown} onSaved={changed} onDraft={setDraft} />}
            </div>
            <Preview page={shown} draft={draft ?? asSaved} version={version} />
            {may('listSubscribers') && <Subscribers id={id} />}
          </div>
        )}
      </Loaded>
      {asking && page !== undefined && (
        <Confirm
          title={`Delete “${page.title}”?`}
          action="Delete for good"
          onConfirm={async () => {
            await api.deleteStatusPage({ params: { id } })
            invalidate('status-pages/')
            navigate('/status-pages')
          }}
          onClose={() => setAsking(false)}
        >
          Its address shows nothing any more. The monitors stay.
        </Confirm>
      )}
    </Page>
  )
}

const layouts: Record<string, string> = {
  'modern-light': 'Light',
  'modern-dark': 'Dark',
  'modern-auto': 'As the visitor has it',
  'compact-light': 'Compact, light',
  'compact-dark': 'Compact, dark',
  compact: 'Compact, as the visitor has it',
}

/** The layouts the page can be drawn in, and the one it has. */
function layoutsWith(current: string | undefined) {
  const words = current === undefined || current in layouts ? layouts : { ...layouts, [current]: current }
  return Object.entries(words).map(([value, label]) => ({ value, label }))
}

/** The languages the page can speak, each by its own name, and the one it has. */
function languagesWith(schema: Schema | undefined, current: string | undefined) {
  const codes = new Set([...(schema?.enum ?? []).map(String), ...(current === undefined ? [] : [current])])
  return [...codes].map(value => {
    const name = new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value
    return { value, label: name.charAt(0).toLocaleUpperCase(value) + name.slice(1) }
  })
}

function Settings(props: {
  page: StatusPage
  onSaved: (page: StatusPage) => void
  onDraft: (draft: Draft | undefined) => void
}) {
  const { page, onSaved, onDraft } = props
  const session = useSession()
  const { title, slug, description, is_public, language, show_history_days, theme } = page
  const own = { title, slug, description, is_public, language, show_history_days, theme }
  // Settings that this server has, and that are for owners and admins: nobody else sends them back.
  const further = session.role === 'owner' || session.role === 'admin' ? ['custom_domain', 'logo'] : ['logo']
  const schema = asSchema(StatusPageWrite)
  const known = further.filter(name => name in (schema.properties ?? {}))
  const first = {
    ...own,
    ...Object.fromEntries(known.map(name => [name, (page as Record<string, unknown>)[name]])),
  } as StatusPageWrite
  const form = useForm(first, async body => {
    onSaved((await api.updateStatusPage({ params: { id: page.id }, body })).data)
    toast('Saved')
  })
  const { values, errors, set, dirty } = form
  useEffect(() => {
    onDraft({ body: values, changed: dirty })
    return () => onDraft(undefined)
  }, [values, dirty, onDraft])
  const change = (name: string, value: unknown) => set(name as keyof StatusPageWrite, value as never)
  const paint = (primary_color: string) => set('theme', { ...values.theme, primary_color })
  const shared = { schema, values: values as Record<string, unknown>, errors, onChange: change }
  return (
    <Card title="Settings">
      <Form form={form} action="Save">
        <SchemaFields {...shared} names={['title', 'slug']} labels={{ slug: 'Address' }} />
        <Field label="Description" hint="Lines stay lines, and addresses become links." error={errors.description}>
          {props => (
            <textarea
              {...props}
              rows={3}
              maxLength={1000}
              value={values.description ?? ''}
              onChange={event => set('description', event.target.value || null)}
            />
          )}
        </Field>
        <div className="fields">
          <SelectField<string>
            label="Language"
            value={values.language ?? 'en'}
            options={languagesWith(schema.properties?.language, values.language)}
            error={errors.language}
            onChange={language => change('language', language)}
          />
          <SelectField
            label="Days of history"
            value={values.show_history_days ?? 90}
            options={historyDays}
            onChange={days => set('show_history_days', days)}
          />
          <Field label="Colour" required error={errors['theme.primary_color']}>
            {props => (
              <div className="colour">
                <input
                  {...props}
                  type="color"
                  value={values.theme?.primary_color ?? '#10b981'}
                  onChange={event => paint(event.target.value)}
                />
                <input
                  aria-label="Hex value"
                  aria-invalid={props['aria-invalid']}
                  placeholder="#10b981"
                  maxLength={7}
                  spellCheck={false}
                  value={values.theme?.primary_color ?? ''}
                  onChange={event => paint(event.target.value.trim())}
                />
              </div>
            )}
          </Field>
          <SelectField<string>
            label="Layout"
            value={values.theme?.layout ?? 'modern-light'}
            options={layoutsWith(values.theme?.layout)}
            error={errors['theme.layout']}
            onChange={layout => set('theme', { ...values.theme, layout })}
          />
        </div>
        <SchemaFields {...shared} names={known.filter(name => name !== 'logo')} />
        {known.includes('logo') && (
          <Logo
            value={(values as Record<string, unknown>).logo as string | null}
            error={errors.logo}
            onChange={logo => change('logo', logo)}
          />
        )}
        <SchemaFields {...shared} names={['is_public']} labels={{ is_public: 'Public' }} />
      </Form>
    </Card>
  )
}
