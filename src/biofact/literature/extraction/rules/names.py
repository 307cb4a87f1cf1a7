"""What a schema's field names mean to the rules."""

import re

MEANINGS: dict[str, str] = {
    "study_type": (
        "study_type study_design design methodology method methods type_of_study research_design trial_type"
        " article_type study_methodology research_method research_methodology study_kind publication_type"
        " evidence_type"
    ),
    "sample_size": (
        "sample_size participant_count n_participants number_of_participants participants_count num_participants"
        " total_participants n_patients number_of_patients patient_count num_patients total_patients n_subjects"
        " number_of_subjects subject_count cohort_size study_size n sample_n total_n"
        " n_total sample_count enrollment enrolment enrolled number_enrolled population_size size_of_sample"
        " n_randomized n_randomised number_randomized participants_number number_of_studies n_studies"
        " included_studies studies_included study_count"
    ),
    "arms": (
        "arms arm study_arms study_arm treatment_arms trial_arms groups group study_groups trial_groups"
        " treatment_groups arm_sizes group_sizes randomised_groups randomized_groups"
        " intervention_arms comparison_groups"
    ),
    "dataset_size": (
        "dataset_size data_set_size size_of_dataset corpus_size training_set_size training_size n_images image_count"
        " number_of_images number_of_records record_count number_of_data_points data_points n_data_points"
        " number_of_documents document_count data_size"
    ),
    "p_value": "p_value p pvalue p_val main_p_value primary_p_value p_values significance_value",
    "statistical_significance": (
        "statistical_significance is_significant significant statistically_significant significance"
        " is_statistically_significant result_significant"
    ),
    "effect_size": (
        "effect_size effect effect_estimate effect_measure main_effect odds_ratio hazard_ratio risk_ratio"
        " relative_risk rate_ratio mean_difference effect_value treatment_effect or hr rr or_value hr_value"
        " rr_value primary_effect effect_sizes estimate measure_of_effect auc sensitivity correlation"
    ),
    "confidence_interval": (
        "confidence_interval ci ci_95 ci95 confidence_limits effect_ci confidence_intervals interval 95_ci"
        " 95_confidence_interval"
    ),
    "population": (
        "population study_population sample patients participants subjects patient_population target_population"
        " cohort participant_characteristics patient_group study_participants sample_description condition_studied"
        " study_subjects"
    ),
    "intervention": (
        "intervention interventions treatment treatments exposure exposures therapy drug drugs intervention_type"
        " treatment_group experimental_group experimental_intervention independent_variable"
        " intervention_description procedure"
    ),
    "comparator": (
        "comparator comparators comparison control control_group controls comparison_group control_condition"
        " comparator_group comparison_arm control_arm placebo reference_group"
    ),
    "outcome": (
        "outcome outcomes primary_outcome main_outcome primary_endpoint primary_end_point endpoint end_point"
        " endpoints main_endpoint primary_outcomes outcome_measure outcome_measures primary_outcome_measure"
        " main_outcome_measure dependent_variable main_outcomes"
    ),
    "follow_up": (
        "follow_up followup follow_up_duration followup_duration follow_up_time follow_up_period"
        " duration_of_follow_up study_duration trial_duration treatment_duration followup_period follow_up_length"
        " duration followup_time"
    ),
    "registration": (
        "registration trial_registration registration_number trial_registration_number nct nct_id nct_number"
        " clinical_trial_id clinicaltrials_id trial_id registry_number registry_id clinical_trials_id"
        " trial_registry prospero_id protocol_registration isrctn eudract trial_number registered"
    ),
    "data_availability": (
        "data_availability data_available dataset_availability data_access data_sharing accession accessions"
        " accession_number accession_numbers open_data data_repository available_data datasets_available"
        " data_deposited"
    ),
    "code_availability": (
        "code_availability code_available source_code code software_availability software_available open_source"
        " code_url github github_url code_repository repository_url is_code_available available_code code_access"
    ),
    "limitations": "limitations limitation study_limitations limitations_mentioned caveats weaknesses limits",
    "key_contribution": (
        "key_contribution key_contributions main_contribution main_contributions contribution contributions"
        " primary_contribution what_is_presented"
    ),
    "key_findings": (
        "key_findings key_finding main_findings main_finding findings primary_findings principal_findings"
        " main_results key_results main_result conclusions conclusion"
    ),
    "novelty": "novelty novelty_claim claimed_novelty main_novelty innovation",
    "technology_domain": "technology_domain technology technology_field technology_area technical_domain tech_domain",
    "benchmarks_used": (
        "benchmarks_used benchmarks benchmark benchmark_used benchmark_datasets benchmark_dataset evaluation_benchmarks"
    ),
    "performance_improvement": (
        "performance_improvement performance_gain performance_gains improvement_over_baseline"
        " improvement_percent performance_improvement_percent improvement_over_state_of_the_art"
    ),
    "computational_cost": (
        "computational_cost computational_costs compute_cost computational_requirements computation_cost"
        " computational_resources compute_requirements training_cost"
    ),
}
CANONICAL: dict[str, str] = {name: field for field, names in MEANINGS.items() for name in names.split()}
LEAD = re.compile(r"^(?:the|study|article|paper|has|is|reported|stated)_")
"""As in: reported_effect."""
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""As in: sampleSize."""


def canonical(name: str) -> str | None:
    """The field of the rules that a schema's name means; none where rules have nothing."""
    plain = re.sub(r"[^a-z0-9]+", "_", CAMEL.sub("_", name).lower()).strip("_")
    return CANONICAL.get(plain) or CANONICAL.get(LEAD.sub("", plain))
