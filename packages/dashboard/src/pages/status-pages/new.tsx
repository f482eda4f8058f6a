import { api } from '../../core/api.ts'
import { invalidate } from '../../core/cache.ts'
import { navigate } from '../../core/router.tsx'
import { TextField } from '../../form/field.tsx'
import { Form } from '../../form/form.tsx'
import { useForm } from '../../form/use-form.ts'
import { Card, Page } from '../../ui/page.tsx'

/** A title as part of an address: Acme Status! → acme-status. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)
}

export function NewStatusPage() {
  const form = useForm({ title: '', slug: '' }, async ({ title, slug }) => {
    const { data } = await api.createStatusPage({ body: { title, slug: slug || slugOf(title) } })
    invalidate('status-pages/')
    navigate(`/status-pages/${data.id}`)
  })
  const { values, errors, set } = form
  return (
    <Page title="New status page" back={{ to: '/status-pages', label: 'Status pages' }}>
      <Form form={form} action="Create, then choose monitors" onCancel={() => navigate('/status-pages')}>
        <Card>
          <div className="stack">
            <TextField
              label="Title"
              placeholder="Acme status"
              autoFocus
              value={values.title}
              error={errors.title}
              onChange={title => set('title', title)}
            />
            <TextField
              label="Address"
              required={false}
              placeholder={slugOf(values.title) || 'acme'}
              hint={`${location.origin}/status/${values.slug || slugOf(values.title) || '…'}`}
              value={values.slug}
              error={errors.slug}
              onChange={slug => set('slug', slug)}
            />
          </div>
        </Card>
      </Form>
    </Page>
  )
}
