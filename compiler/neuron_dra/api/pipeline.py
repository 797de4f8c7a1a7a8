"""The one pipeline behind all commands: sources to specs, plan, objects, bytes.

In: paths of specs and of extra catalogue folders. Out: values: what was read, what was planned,
what would be written, and every diagnostic on the way. Writes nothing; `emit` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from neuron_dra import __version__
from neuron_dra.admission.check import check_objects
from neuron_dra.admission.server import Server
from neuron_dra.api.selection import EVERYTHING, Selection
from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.consumers.check import check_consumers
from neuron_dra.diagnostics import Diagnostic, Severity, has_errors, in_order
from neuron_dra.diagnostics.codes import spec as spec_codes
from neuron_dra.emit.cluster import ClusterFiles
from neuron_dra.emit.jobs import Renderings, cluster_job, shared_units
from neuron_dra.emit.layout import Unit
from neuron_dra.kube.definitions import load_definitions
from neuron_dra.objects.assembly import Assembler
from neuron_dra.objects.gitops.applications import render_root
from neuron_dra.objects.gitops.projects import (
    Use,
    check_destinations,
    check_use,
    render_projects,
)
from neuron_dra.objects.object import KubeObject, Placed
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.plan.fleet import Fleet, plan_fleet
from neuron_dra.source import Source, Span, read_sources
from neuron_dra.spec.documents import Specs, read_documents
from neuron_dra.spec.locate import locate
from neuron_dra.spec.retarget import retarget
from neuron_dra.spec.unused import find_unused


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an input means, as far as it is sound."""

    specs: Specs
    catalog: Catalog
    fleet: Fleet
    diagnostics: tuple[Diagnostic, ...]

    @property
    def is_sound(self) -> bool:
        return not has_errors(self.diagnostics)


def analyse(
    sources: Iterable[Source],
    catalog_folders: Sequence[str] = (),
    instance_type: str = "",
) -> Analysis:
    """Read and plan; every finding of every phase comes in one run.

    Args:
        instance_type: read every pool and partition as this instance type.
    """
    sources = list(sources)
    written, found = read_documents(sources)
    specs = retarget(written, instance_type) if instance_type else written
    catalog = open_catalog(catalog_folders).with_instance_types(specs.instance_types)
    fleet, plan_found = plan_fleet(specs, catalog)
    found += _no_documents(sources, specs, found)
    found += check_consumers(fleet.clusters, catalog.consumers())
    found += catalog.diagnostics
    found += plan_found
    if not has_errors(found):
        found += find_unused(written)
    return Analysis(specs, catalog, fleet, tuple(in_order(found)))


def _no_documents(
    sources: Sequence[Source], specs: Specs, found: Sequence[Diagnostic]
) -> list[Diagnostic]:
    empty = not (
        specs.cluster_documents
        or specs.defaults
        or specs.partitions
        or specs.tenants
        or specs.workloads
        or specs.instance_types
        or specs.broken
    )
    if not empty or has_errors(found):
        return []
    source = sources[0] if sources else Source("<no files>", b"")
    return [
        spec_codes.NO_DOCUMENTS.at(
            Span.of_file(source),
            f"no documents in {_count(len(sources), 'file')}",
            help="an empty input compiles to nothing and would prune everything",
        )
    ]


def load(paths: Sequence[str], *, excluded: str = "") -> list[Source]:
    """Read the sources of specs: files, folders without the excluded one, `-`."""
    return read_sources(paths, excluded=excluded)


@dataclass(frozen=True, slots=True)
class Build:
    """Everything that an input compiles to.

    Attributes:
        units: the folders of the output tree; their bytes are made when they are written.
        contents: how many distinct objects were dumped.
    """

    analysis: Analysis
    units: tuple[Unit, ...]
    diagnostics: tuple[Diagnostic, ...]
    contents: int
    selection: Selection


def build(
    sources: Iterable[Source],
    catalog_folders: Sequence[str] = (),
    instance_type: str = "",
    selection: Selection = EVERYTHING,
) -> Build:
    """Analyse sources, make every object and check it; the result can be written."""
    analysis = analyse(sources, catalog_folders, instance_type)
    found = list(analysis.diagnostics)
    assembler = Assembler(analysis.catalog, load_definitions)
    renderings = Renderings()
    identity = (__version__, analysis.catalog.digest())
    plans = analysis.fleet.clusters
    made: dict[int, tuple[KubeObject, str]] = {}
    jobs = [
        cluster_job(plan, _noting(assembler.assemble(plan), plan, made), renderings, identity)
        for plan in plans
    ]
    found += assembler.found
    found += _check_objects(made.values(), analysis)
    units = [
        Unit(f"clusters/{job.name}", ClusterFiles(job))
        for job, plan in zip(jobs, plans, strict=True)
        if selection.selects(plan.name, plan.document.metadata.labels)
    ]
    uses = [(plan, assembler.releases(plan.profile)) for plan in plans]
    shared, problems = _shared_objects(uses)
    found += problems
    if not has_errors(found):
        found += check_use(uses)
    return Build(
        analysis,
        (*units, *shared_units(shared, identity)),
        tuple(in_order(found)),
        len(renderings),
        selection,
    )


def _shared_objects(uses: Sequence[Use]) -> tuple[list[KubeObject], list[Diagnostic]]:
    """Return what belongs to several clusters; from all of them, whatever is selected."""
    projects, found = render_projects(uses)
    found += check_destinations(plan for plan, _ in uses)
    roots = [root for use in uses if (root := render_root(*use)) is not None]
    return [*projects, *roots], found


def _noting(
    placed: Iterable[Placed], plan: ClusterPlan, made: dict[int, tuple[KubeObject, str]]
) -> Iterator[Placed]:
    """Pass objects on, noting each distinct one with the Kubernetes minor that it goes to."""
    minor = plan.profile.minor
    for each in placed:
        made.setdefault(id(each.object), (each.object, minor))
        yield each


def _check_objects(made: Iterable[tuple[KubeObject, str]], analysis: Analysis) -> list[Diagnostic]:
    """Ask what the API server would say of every distinct object."""
    by_minor: dict[str, list[KubeObject]] = {}
    for each, minor in made:
        by_minor.setdefault(minor, []).append(each)
    place = partial(locate, analysis.specs)
    return [
        problem
        for minor, objects in sorted(by_minor.items())
        for problem in check_objects(
            objects, _make_server(analysis.catalog, minor), analysis.catalog, place
        )
    ]


def _make_server(catalog: Catalog, minor: str) -> Server:
    """Return the API server of a minor, with its default gates."""
    release = catalog.kubernetes(minor)
    assert release is not None, f"objects were made for Kubernetes {minor}"
    return Server(release, release.default_gates)


def visible(diagnostics: Iterable[Diagnostic], *, verbose: bool) -> list[Diagnostic]:
    """Leave notes out unless they are asked for."""
    return [each for each in diagnostics if verbose or each.severity is not Severity.NOTE]


def describe(build: Build) -> str:
    """Count what was compiled, in words."""
    clusters = sum(unit.folder.startswith("clusters/") for unit in build.units)
    partitions = len(build.analysis.specs.partitions)
    return f"{_count(clusters, 'cluster')}, {_count(partitions, 'partition')}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
