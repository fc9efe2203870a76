"""What schema.org's JSON-LD context means, without the network.

That context maps each of its terms to the IRI that its ``@vocab`` gives anyway. What matters beyond that is in
the tables below: properties whose text is an IRI, properties whose text is a date, and the prefixes.
"""

from __future__ import annotations

import re
from typing import Final

from sundog.rdf.namespaces import SCHEMA_ORG

_NAMES = re.compile(
    r"(?:https?:)?//(?:www\.)?schema\.org(?:/(?:docs/jsonldcontext\.json(?:ld)?|version/latest/.*)?)?(?:[#?].*)?",
    re.I,
)

IRIS: Final = frozenset(
    """acquireLicensePage actionableFeedbackPolicy additionalType afterMedia archivedAt associatedDisease
    beforeMedia benefitsSummaryUrl codeRepository colleague colorSwatch constraintProperty contentUrl
    correctionsPolicy discussionUrl diseasePreventionInfo diseaseSpreadStatistics diversityPolicy
    diversityStaffingReport documentation downloadUrl duringMedia embedUrl ethicsPolicy gameLocation
    gettingTestedInfo hasGS1DigitalLink hasMap hasMolecularFunction healthPlanMarketingUrl image inCodeSet
    inDefinedTermSet installUrl isBasedOn isBasedOnUrl isInvolvedInBiologicalProcess
    isLocatedInSubcellularLocation isPartOf labelDetails layoutImage license logo mainEntityOfPage map maps
    masthead merchantReturnLink missionCoveragePrioritiesPolicy newsUpdatesAndGuidelines noBylinesPolicy
    originalMediaLink paymentUrl prescribingInfo productReturnLink publicTransportClosuresInfo
    publishingPrinciples quarantineGuidelines relatedLink replyToUrl sameAs schoolClosuresInfo screenshot
    sdLicense season serviceUrl shippingSettingsLink significantLink significantLinks speakable targetUrl
    thumbnailUrl tourBookingPage trackingUrl travelBans unnamedSourcesPolicy url usageInfo
    verificationFactCheckingPolicy webFeed""".split()
)
DATES: Final = frozenset(
    """applicationDeadline applicationStartDate auditDate availabilityEnds availabilityStarts birthDate
    commentTime dateCreated dateDeleted dateIssued dateModified datePosted datePublished dateRead
    dateVehicleFirstRegistered deathDate dissolutionDate endDate exceptDate expectedArrivalFrom
    expectedArrivalUntil expires foundingDate guidelineDate lastReviewed legislationDate
    legislationDateOfApplicability legislationDateVersion modelDate orderDate paymentDueDate
    previousStartDate priceValidUntil productionDate purchaseDate releaseDate scheduledPaymentDate
    sdDatePublished startDate uploadDate validFrom validThrough validUntil vehicleModelDate""".split()
)
PREFIXES: Final = {
    "schema": SCHEMA_ORG,
    "csvw": "http://www.w3.org/ns/csvw#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcam": "http://purl.org/dc/dcam/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcmitype": "http://purl.org/dc/dcmitype/",
    "dct": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "dctype": "http://purl.org/dc/dcmitype/",
    "doap": "http://usefulinc.com/ns/doap#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "odrl": "http://www.w3.org/ns/odrl/2/",
    "org": "http://www.w3.org/ns/org#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prof": "http://www.w3.org/ns/dx/prof/",
    "prov": "http://www.w3.org/ns/prov#",
    "qb": "http://purl.org/linked-data/cube#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "sh": "http://www.w3.org/ns/shacl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "sosa": "http://www.w3.org/ns/sosa/",
    "ssn": "http://www.w3.org/ns/ssn/",
    "time": "http://www.w3.org/2006/time#",
    "vann": "http://purl.org/vocab/vann/",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def is_schema_org(context: str) -> bool:
    """
    >>> is_schema_org("https://schema.org"), is_schema_org("//schema.org"), is_schema_org("//schema.org.example/")
    (True, True, False)
    """
    return _NAMES.fullmatch(context.strip()) is not None


def context() -> dict[str, object]:
    """The context as a JSON-LD document would write it, without the terms that ``@vocab`` covers."""
    terms: dict[str, object] = {"@vocab": SCHEMA_ORG, "type": "@type", "id": "@id", **PREFIXES}
    terms["HTML"] = {"@id": "rdf:HTML"}
    terms |= {name: {"@id": SCHEMA_ORG + name, "@type": "@id"} for name in IRIS}
    terms |= {name: {"@id": SCHEMA_ORG + name, "@type": f"{SCHEMA_ORG}Date"} for name in DATES}
    return terms
