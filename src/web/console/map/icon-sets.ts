/** When a map needs the icons of the sets: once an object or a category of its project names one. */
import { isIconName } from '../../../lib/draw/public-map.ts';
import type { ProjectStore, StoreChange } from '../document/project-store.ts';
import { iconsOfCategories } from '../kinds/map-categories.ts';
import type { Members, ResourceRef } from '../kinds/resource-kinds.ts';

/**
 * Gives a map the icons once the project names one.
 *
 * @param load asks for both sets; after a failure, the next change that names an icon asks again
 * @param show called once; without icons, objects have pins
 * @returns the function that ends this
 */
export function showIcons<Icons>(store: ProjectStore, load: () => Promise<Icons>, show: (icons: Icons) => void): () => void {
  let isAsking = false;
  let isDone = false;
  const names = ({ kind, id }: ResourceRef): boolean => {
    const value: Members = store.shown(id) ?? {};
    const icons = kind === 'object' ? [value['icon']] : kind === 'project' ? iconsOfCategories(value['settings']) : [];
    return icons.some((icon) => typeof icon === 'string' && isIconName(icon));
  };
  const isNamed = (change: StoreChange): boolean => {
    if (change.is === 'put') return names(change.ref);
    return (change.is === 'loaded' || change.is === 'many') && [...store.all()].some(({ ref }) => names(ref));
  };
  const look = (change: StoreChange): void => {
    if (isDone || isAsking || !isNamed(change)) return;
    isAsking = true;
    load().then(
      (icons) => {
        if (!isDone) show(icons);
        isDone = true;
      },
      () => {
        isAsking = false;
      },
    );
  };
  const end = store.onChange(look);
  look({ is: 'many' });
  return () => {
    isDone = true;
    end();
  };
}
